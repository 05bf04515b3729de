import { messagesOf } from '../support/json-rpc-messages.ts'
import { Blocked, type Expectation, labelled } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpReceived } from '../../../wire/index.ts'
import { flawsOf } from '../../../wire/mcp.ts'
import { namedCalls } from '../support/named-calls.ts'
import { check, watch } from '../support/define.ts'
import { kindOfPost } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'
import { hasMatchingResponse } from '../support/expectations.ts'

/** Ids that are easily taken for one another, or for none. */
const ids = [0, 7, '7', 'Touchstone 1', '00000000-0000-4000-8000-000000000000'] as const

const ownId: Expectation<McpExchange> = {
  name: 'answers under the same id',
  expected: 'a response with the id that was sent, of the same type',
  test: hasMatchingResponse,
}
const noStrays: Expectation<McpConnection> = {
  name: 'answers nobody else',
  expected: 'no response but those to what was asked, one each',
  test: ({ strays }) => strays.length === 0,
  received: ({ strays }) => JSON.stringify(strays.slice(0, 3).map(({ message }) => message)),
}

/** A refusal of a notification may have a message in it, where HTTP tells of a failure. */
const isUnanswered = ({ responses, problems, httpStatus = 0 }: McpExchange): boolean =>
  (responses.length === 0 && !problems.some((problem) => isProblem(problem, 'id'))) ||
  httpStatus >= 400
/** Any other id would be an answer to something, though nobody asked it. */
const hasNoId = ({ json }: McpReceived): boolean => json['id'] === null || json['id'] === undefined
const noMessage: Expectation<McpExchange> = {
  name: 'is not answered',
  expected: 'no message',
  test: isUnanswered,
}

const isPong: Expectation<McpExchange> = {
  name: 'is answered',
  expected: 'a result for ping',
  test: ({ result }) => result !== undefined,
}
const isEmpty: Expectation<McpExchange> = {
  name: 'is empty',
  expected: 'a result without members',
  test: ({ result }) => Object.keys(result ?? {}).every((name) => name === '_meta'),
}

const isUnknown: Expectation<McpExchange> = {
  name: 'gets -32601',
  expected: 'the error -32601',
  test: ({ error }) => error?.code === -32601,
}

/** Most pings that are sent while a tool runs. */
const pings = 5

export const messages = [
  watch('TOOL-MCP-04', {
    title: 'speaks JSON-RPC 2.0',
    examine: (exchange) => {
      const came = messagesOf(exchange)
      // What answers anything else over HTTP need be no message.
      const isOpen =
        exchange.transport === 'http' &&
        kindOfPost(exchange) !== 'request' &&
        exchange.contentType !== 'text/event-stream'
      const flaws = [
        ...came.flatMap(({ message }) => flawsOf(message)),
        ...exchange.problems.filter((problem) => !isOpen && isProblem(problem, 'message')),
      ]
      if (came.length === 0 && flaws.length === 0) return []
      return [
        {
          name: 'is JSON-RPC 2.0',
          held: flaws.length === 0,
          expected: 'messages of JSON-RPC 2.0',
          received: flaws[0]?.text ?? 'as expected',
        },
      ]
    },
  }),

  check('TOOL-MCP-05', {
    title: 'answers under the id that it was asked with',
    async run({ onEachTransport, openSession, expect, expectOf, runThroughGate }) {
      await onEachTransport(async ({ transport }) => {
        const { connection, request } = await openSession(transport)
        const usual = await request('ping')
        if (usual.result === undefined) throw new Blocked('TOOL-MCP-07', usual.summary)
        const answered = await runThroughGate(() =>
          Promise.all(ids.map((id) => connection.request('ping', undefined, { id }))),
        )
        for (const exchange of answered) expect(exchange, ownId)
        expectOf(connection, noStrays)
      })
    },
  }),

  watch('TOOL-MCP-05', {
    title: 'answers each request once',
    examine: ({ id, responses, problems, response }) => {
      if (id === undefined || id === null || response === undefined) return []
      // An error without an id is about something else, where the response came too.
      const own = responses.filter(({ json }) => json['id'] !== null && json['id'] !== undefined)
      const problem = problems.find(
        (one) =>
          isProblem(one, 'id') &&
          one.code !== 'unknown-null-id' &&
          !(own.length < 2 && one.code === 'second-response'),
      )
      const held = own.length < 2 && problem === undefined
      return [
        {
          name: 'is answered once',
          held,
          expected: 'one response',
          received: held ? 'as expected' : (problem?.text ?? `${own.length} responses`),
        },
      ]
    },
  }),

  check('TOOL-MCP-06', {
    title: 'does not answer notifications',
    async run({ onEachTransport, openSession, expect, expectOf }) {
      await onEachTransport(async ({ transport }) => {
        const { connection, request, notify } = await openSession(transport)
        const sent = [
          await notify('notifications/touchstone/nothing'),
          await notify('notifications/cancelled', {
            requestId: `touchstone-${crypto.randomUUID()}`,
          }),
        ]
        // What is answered later than that is noted all the same.
        const marker = await request('ping')
        const list = await request('tools/list')
        if (marker.response === undefined) throw new Blocked('TOOL-MCP-07', marker.summary)
        for (const exchange of sent) expect(exchange, noMessage)
        // An error without an id would be about the notification, since both requests have theirs.
        const foreign = [marker, list].flatMap((exchange) =>
          exchange.response === undefined || hasMatchingResponse(exchange) ? [] : [exchange],
        )
        for (const exchange of foreign)
          expect(exchange, { name: 'is not answered', expected: 'no message', test: () => false })
        expectOf(connection.strays.filter(hasNoId), {
          name: 'is not answered',
          expected: 'no message',
          test: (unasked) => unasked.length === 0,
          received: (unasked) => JSON.stringify(unasked[0]?.message),
        })
      })
    },
  }),

  check('TOOL-MCP-07', {
    title: 'answers a ping',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        const exchange = await request('ping')
        expect(exchange, isPong)
        expect(exchange, isEmpty)
      })
    },
  }),

  check('TOOL-MCP-07', {
    title: 'answers a ping while a tool runs',
    async run({ access, onEachTransport, openSession, expect, runThroughGate, harness }) {
      const { upstreamLock } = await harness()
      const call = access.long ?? namedCalls(access)[0]
      await onEachTransport(async ({ transport }) => {
        const session = await openSession(transport)
        const sent: McpExchange[] = []
        const ping = async () =>
          void sent.push(
            await session.connection.request('ping', undefined, {
              operation: 'ping beside a call',
            }),
          )
        // All in one turn at the gate: who waits there comes too late.
        const busy = session.withRunner({
          run: (send) =>
            upstreamLock.runShared(() =>
              runThroughGate(async () => {
                let isOver = false
                const running = send().finally(() => (isOver = true))
                do await ping()
                while (!isOver && sent.length < pings)
                return running
              }),
            ),
        })
        if (call === undefined) await runThroughGate(ping)
        else await busy.call(call.tool, call.arguments)
        for (const exchange of sent) expect(exchange, labelled('beside a call', isPong))
      })
    },
  }),

  check('TOOL-MCP-08', {
    title: 'tells methods that there are not',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        // The second is a word that every object of JavaScript knows.
        for (const method of ['touchstone/nothing', 'toString'])
          expect(await request(method, {}, { operation: 'another method' }), isUnknown)
      })
    },
  }),
]
