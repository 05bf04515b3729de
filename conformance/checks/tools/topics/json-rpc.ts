import { messagesOf } from '../support/json-rpc-messages.ts'
import { Blocked, type Expectation, labelled } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpReceived } from '../../../wire/index.ts'
import { flawsOf } from '../../../wire/mcp.ts'
import { namedCalls } from '../support/named-calls.ts'
import { check, watch } from '../support/define.ts'
import { kindOfPost } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'
import { hasMatchingResponse } from '../support/expectations.ts'

/** Ids that a server may confuse with each other, or with a missing id. */
const ids = [0, 7, '7', 'Touchstone 1', '00000000-0000-4000-8000-000000000000'] as const

const ownId: Expectation<McpExchange> = {
  name: 'returns the same id',
  expected: 'a response with the id of the request, of the same type',
  test: hasMatchingResponse,
}
const noUnmatchedResponses: Expectation<McpConnection> = {
  name: 'sends no other responses',
  expected: 'one response to each request, and no others',
  test: ({ unmatchedResponses }) => unmatchedResponses.length === 0,
  received: ({ unmatchedResponses }) =>
    JSON.stringify(unmatchedResponses.slice(0, 3).map(({ message }) => message)),
}

/** An HTTP error for a notification may contain a message. */
const hasNoJsonRpcResponse = ({ responses, problems, httpStatus = 0 }: McpExchange): boolean =>
  (responses.length === 0 && !problems.some((problem) => isProblem(problem, 'id'))) ||
  httpStatus >= 400
/** A response with any other id belongs to a request. */
const hasNoId = ({ json }: McpReceived): boolean => json['id'] === null || json['id'] === undefined
const noMessage: Expectation<McpExchange> = {
  name: 'is not answered',
  expected: 'no message',
  test: hasNoJsonRpcResponse,
}

const isPong: Expectation<McpExchange> = {
  name: 'is answered',
  expected: 'a result for ping',
  test: ({ result }) => result !== undefined,
}
const hasEmptyResult: Expectation<McpExchange> = {
  name: 'is empty',
  expected: 'a result without members',
  test: ({ result }) => Object.keys(result ?? {}).every((name) => name === '_meta'),
}

const isMethodNotFound: Expectation<McpExchange> = {
  name: 'returns -32601',
  expected: 'the error -32601',
  test: ({ error }) => error?.code === -32601,
}

/** The most pings that are sent while a tool runs. */
const maxPings = 5

export const jsonRpcChecks = [
  watch('TOOL-MCP-04', {
    title: 'sends only JSON-RPC 2.0 messages',
    examine: (exchange) => {
      const received = messagesOf(exchange)
      // Over HTTP, only the response to a request must be a message.
      const isBodyUnspecified =
        exchange.transport === 'http' &&
        kindOfPost(exchange) !== 'request' &&
        exchange.contentType !== 'text/event-stream'
      const flaws = [
        ...received.flatMap(({ message }) => flawsOf(message)),
        ...exchange.problems.filter(
          (problem) => !isBodyUnspecified && isProblem(problem, 'message'),
        ),
      ]
      if (received.length === 0 && flaws.length === 0) return []
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
    title: 'returns the id of each request',
    async run({ onEachTransport, openSession, expect, expectValue, runThroughGate }) {
      await onEachTransport(async ({ transport }) => {
        const { connection, request } = await openSession(transport)
        const control = await request('ping')
        if (control.result === undefined) throw new Blocked('TOOL-MCP-07', control.summary)
        const answered = await runThroughGate(() =>
          Promise.all(ids.map((id) => connection.request('ping', undefined, { id }))),
        )
        for (const exchange of answered) expect(exchange, ownId)
        expectValue(connection, noUnmatchedResponses)
      })
    },
  }),

  watch('TOOL-MCP-05', {
    title: 'answers each request once',
    examine: ({ id, responses, problems, response }) => {
      if (id === undefined || id === null || response === undefined) return []
      // An error without an id is about something else if there is a response as well.
      const identified = responses.filter(
        ({ json }) => json['id'] !== null && json['id'] !== undefined,
      )
      const problem = problems.find(
        (one) =>
          isProblem(one, 'id') &&
          one.code !== 'unknown-null-id' &&
          !(identified.length < 2 && one.code === 'second-response'),
      )
      const held = identified.length < 2 && problem === undefined
      return [
        {
          name: 'is answered once',
          held,
          expected: 'one response',
          received: held ? 'as expected' : (problem?.text ?? `${identified.length} responses`),
        },
      ]
    },
  }),

  check('TOOL-MCP-06', {
    title: 'does not answer notifications',
    async run({ onEachTransport, openSession, expect, expectValue }) {
      await onEachTransport(async ({ transport }) => {
        const { connection, request, notify } = await openSession(transport)
        const sent = [
          await notify('notifications/touchstone/nothing'),
          await notify('notifications/cancelled', {
            requestId: `touchstone-${crypto.randomUUID()}`,
          }),
        ]
        // Later messages on the connection are recorded as well.
        const firstAfter = await request('ping')
        const secondAfter = await request('tools/list')
        if (firstAfter.response === undefined) throw new Blocked('TOOL-MCP-07', firstAfter.summary)
        for (const exchange of sent) expect(exchange, noMessage)
        // An error without an id would be about the notification: both requests have an id.
        const foreign = [firstAfter, secondAfter].flatMap((exchange) =>
          exchange.response === undefined || hasMatchingResponse(exchange) ? [] : [exchange],
        )
        for (const exchange of foreign)
          expect(exchange, { name: 'is not answered', expected: 'no message', test: () => false })
        expectValue(connection.unmatchedResponses.filter(hasNoId), {
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
        expect(exchange, hasEmptyResult)
      })
    },
  }),

  check('TOOL-MCP-07', {
    title: 'answers a ping while a tool runs',
    async run({ target, onEachTransport, openSession, expect, runThroughGate, harness }) {
      const { upstreamLock } = await harness()
      const call = target.long ?? namedCalls(target)[0]
      await onEachTransport(async ({ transport }) => {
        const session = await openSession(transport)
        const sent: McpExchange[] = []
        const ping = async () =>
          void sent.push(
            await session.connection.request('ping', undefined, {
              operation: 'ping during a call',
            }),
          )
        // The pings share the gate entry of the call, otherwise they could be sent after it.
        const busy = session.withRunner({
          run: (send) =>
            upstreamLock.runShared(() =>
              runThroughGate(async () => {
                let isOver = false
                const running = send().finally(() => (isOver = true))
                do await ping()
                while (!isOver && sent.length < maxPings)
                return running
              }),
            ),
        })
        if (call === undefined) await runThroughGate(ping)
        else await busy.call(call.tool, call.arguments)
        for (const exchange of sent) expect(exchange, labelled('during a call', isPong))
      })
    },
  }),

  check('TOOL-MCP-08', {
    title: 'returns -32601 for unknown methods',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        // The second is a member of every JavaScript object.
        for (const method of ['touchstone/nothing', 'toString'])
          expect(await request(method, {}, { operation: 'unknown method' }), isMethodNotFound)
      })
    },
  }),
]
