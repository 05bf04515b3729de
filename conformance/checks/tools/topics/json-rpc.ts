import { messagesOf } from '../support/json-rpc-messages.ts'
import { Blocked, type Expectation, labelled, ofValue } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpReceived } from '../../../wire/index.ts'
import { flawsOf } from '../../../wire/mcp.ts'
import { isSuccess } from '../support/results.ts'
import { findWorkingCall } from '../support/working-call.ts'
import { check, watch } from '../support/define.ts'
import { isRequestPost } from '../support/posts.ts'
import { isProblem } from '../support/problems.ts'
import { cancelOthersDuringCall, pingDuringCall } from '../support/held-call.ts'
import { hasMatchingResponse } from '../support/expectations.ts'

/** Ids that a server may confuse with each other, or with a missing id. */
const ids = [
  0,
  '',
  7,
  '7',
  -8,
  'Touchstone 1',
  '00000000-0000-4000-8000-000000000000',
  `touchstone-${'0123456789'.repeat(12)}`,
] as const

const ownId: Expectation<McpExchange> = {
  name: 'returns the same id',
  expected: 'a response with the id of the request, of the same type',
  test: hasMatchingResponse,
}
const noUnmatchedResponses: Expectation<McpConnection> = {
  name: 'sends no other responses',
  expected: 'exactly one response to each request, and no other responses',
  test: ({ unmatchedResponses }) => unmatchedResponses.length === 0,
  received: ({ unmatchedResponses }) =>
    JSON.stringify(unmatchedResponses.slice(0, 3).map(({ message }) => message)),
}

/**
 * Whether a notification got no JSON-RPC response, or was refused with an HTTP error status, whose
 * body may be a JSON-RPC error.
 */
const hasNoResponseOrRefusal = ({ responses, problems, httpStatus = 0 }: McpExchange): boolean =>
  (responses.length === 0 &&
    !problems.some((problem) => isProblem(problem, 'unexpected-response'))) ||
  httpStatus >= 400
/** Whether a response has no id, and so may be a response to a notification. */
const hasNoId = ({ json }: McpReceived): boolean => json['id'] === null || json['id'] === undefined
const noMessage: Expectation<McpExchange> = {
  name: 'gets no response',
  expected: 'no response to the notification',
  test: hasNoResponseOrRefusal,
}
/** A response without the id of the request is a response to an earlier notification. */
const answersOnlyTheRequest: Expectation<McpExchange> = {
  name: 'gets no response',
  expected: 'no response to the notification',
  test: (exchange) => exchange.response === undefined || hasMatchingResponse(exchange),
}

const isStillAnswered: Expectation<McpExchange> = {
  name: 'is answered',
  expected: 'a response to the call, which was not cancelled',
  test: hasMatchingResponse,
}
const isPong: Expectation<McpExchange> = {
  name: 'is answered',
  expected: 'a result for ping',
  test: ({ result }) => result !== undefined,
}
const isAnsweredInTime = (isInTime: boolean): Expectation<McpExchange> => ({
  name: 'is answered while the call waits',
  expected: 'a result for ping before the upstream responds to the call',
  test: () => isInTime,
  received: ({ result, summary }) =>
    result === undefined ? summary : 'no result before the call ended',
})
const hasEmptyResult: Expectation<McpExchange> = {
  name: 'is empty',
  expected: 'an empty object as the result',
  test: ({ result }) => Object.keys(result ?? {}).every((name) => name === '_meta'),
}

const isMethodNotFound: Expectation<McpExchange> = {
  name: 'returns -32601',
  expected: 'the error -32601',
  test: ({ error }) => error?.code === -32601,
}

/** Maximum number of pings during one call. */
const maxPings = 5

export const jsonRpcChecks = [
  watch('TOOL-MCP-04', {
    title: 'sends only JSON-RPC 2.0 messages',
    examine: (exchange) => {
      // Over HTTP, MCP requires JSON-RPC only in event streams and in responses to accepted
      // requests. Other bodies can be, for example, the error page of a framework.
      const isBodyUnspecified =
        exchange.transport === 'http' &&
        (!isRequestPost(exchange) || (exchange.httpStatus ?? 0) >= 400) &&
        exchange.contentType !== 'text/event-stream'
      const received = messagesOf(exchange).filter(
        ({ json }) => !isBodyUnspecified || 'jsonrpc' in json,
      )
      const flaws = [
        ...received.flatMap(({ message }) => flawsOf(message)),
        ...exchange.problems.filter(
          (problem) => !isBodyUnspecified && isProblem(problem, 'not-a-message'),
        ),
      ]
      if (received.length === 0 && flaws.length === 0) return []
      return [
        {
          name: 'is JSON-RPC 2.0',
          held: flaws.length === 0,
          expected: 'only JSON-RPC 2.0 messages',
          received: flaws[0]?.text ?? 'as expected',
        },
      ]
    },
  }),

  check('TOOL-MCP-05', {
    title: 'returns the id of each request',
    async run({ onEachTransport, openSession, expect, runThroughGate }) {
      await onEachTransport(async ({ transport }) => {
        const { connection, request } = await openSession(transport)
        const control = await request('ping')
        if (control.result === undefined) throw new Blocked('TOOL-MCP-07', control.summary)
        // One after the other, because a server may take 7 and "7" for the same id.
        for (const id of ids)
          expect(await runThroughGate(() => connection.request('ping', undefined, { id })), ownId)
        const failed = await request('touchstone/nothing', {}, { operation: 'unknown method' })
        // The body of an HTTP error need not be a response to the request.
        if (failed.error !== undefined && (failed.httpStatus ?? 0) < 400)
          expect(failed, labelled('error', ownId))
        expect(failed, ofValue(connection, noUnmatchedResponses))
      })
    },
  }),

  check('TOOL-MCP-05', {
    title: 'responds to a call while other requests are cancelled',
    needs: ['tools.get', 'tools.upstream'],
    async run(world) {
      await world.onEachTransport(async ({ transport }) => {
        const session = await world.openSession(transport)
        for (const [cancelled, call] of await cancelOthersDuringCall(world, session))
          world.expect(
            call,
            labelled(`another request is cancelled: ${cancelled}`, isStillAnswered),
          )
      })
    },
  }),

  watch('TOOL-MCP-05', {
    title: 'responds to each request exactly once',
    examine: ({ id, responses, problems, response }) => {
      if (id === undefined || id === null || response === undefined) return []
      // An error without an id may be about any message. It does not count as a second response if
      // the request also has a response with an id.
      const identified = responses.filter(
        ({ json }) => json['id'] !== null && json['id'] !== undefined,
      )
      const problem = problems.find(
        (one) =>
          isProblem(one, 'unexpected-response') &&
          one.code !== 'unknown-null-id' &&
          !(identified.length < 2 && one.code === 'second-response'),
      )
      const held = identified.length < 2 && problem === undefined
      return [
        {
          name: 'is answered once',
          held,
          expected: 'exactly one response to the request',
          received: held ? 'as expected' : (problem?.text ?? `responses: ${identified.length}`),
        },
      ]
    },
  }),

  check('TOOL-MCP-06', {
    title: 'does not respond to notifications',
    async run({ onEachTransport, openSession, expect }) {
      await onEachTransport(async ({ transport }) => {
        const { connection, request, notify } = await openSession(transport)
        const sent = [
          await notify('notifications/touchstone/nothing'),
          await notify('notifications/cancelled', {
            requestId: `touchstone-${crypto.randomUUID()}`,
          }),
          await notify('notifications/roots/list_changed'),
          await notify('touchstone/nothing'),
          await notify('notifications/progress', {
            progressToken: `touchstone-${crypto.randomUUID()}`,
            progress: 1,
          }),
        ]
        // Sends two requests, so that late responses to the notifications can arrive. The
        // connection records such responses.
        const firstAfter = await request('ping')
        const secondAfter = await request('tools/list')
        if (firstAfter.response === undefined) throw new Blocked('TOOL-MCP-07', firstAfter.summary)
        for (const exchange of sent) expect(exchange, noMessage)
        for (const exchange of [firstAfter, secondAfter]) expect(exchange, answersOnlyTheRequest)
        expect(
          sent[0]!,
          ofValue(connection.unmatchedResponses.filter(hasNoId), {
            name: 'gets no response',
            expected: 'no response to the notification',
            test: (unmatched) => unmatched.length === 0,
            received: (unmatched) => JSON.stringify(unmatched[0]?.message),
          }),
        )
      })
    },
  }),

  check('TOOL-MCP-07', {
    title: 'responds to a ping',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        const exchange = await request('ping')
        expect(exchange, isPong)
        expect(exchange, hasEmptyResult)
      })
    },
  }),

  check('TOOL-MCP-07', {
    title: 'responds to a ping while a tool runs',
    async run(world) {
      const { target, onEachTransport, openSession, expect, runThroughGate, harness } = world
      const { upstreamLock } = await harness()
      await onEachTransport(async ({ transport }) => {
        const session = await openSession(transport)
        const call = target.long ?? findWorkingCall(world, session)
        const sent: McpExchange[] = []
        const ping = async () =>
          void sent.push(
            await session.connection.request('ping', undefined, {
              operation: 'ping during a call',
            }),
          )
        // The call and its pings pass the gate (the limit on concurrent requests) together.
        // Otherwise the pings might be sent after the call has ended.
        const sessionWithPings = session.withRunner({
          run: (_, send) =>
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
        const called = await sessionWithPings.call(call.tool, call.arguments)
        const isHeldUp = called.isInterrupted && sent.every(({ heldUpBy }) => heldUpBy === called)
        if (!isHeldUp)
          for (const exchange of sent) expect(exchange, labelled('a ping during a call', isPong))
        // If the call failed, the tool possibly did not run at all.
        if (!isSuccess(called)) throw new Blocked('TOOL-CALL-01', called.summary)
      })
    },
  }),

  check('TOOL-MCP-07', {
    title: 'responds to a ping before a waiting call ends',
    needs: ['tools.get', 'tools.upstream'],
    async run(world) {
      await world.onEachTransport(async ({ transport }) => {
        const session = await world.openSession(transport)
        const { ping, isInTime } = await pingDuringCall(world, session)
        world.expect(ping, labelled('a ping during a call', isAnsweredInTime(isInTime)))
      })
    },
  }),

  check('TOOL-MCP-08', {
    title: 'returns -32601 for unknown methods',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        // `toString` is a member of every JavaScript object, so a careless lookup finds a handler.
        for (const method of ['touchstone/nothing', 'tools/nothing', 'toString'])
          expect(await request(method, {}, { operation: 'unknown method' }), isMethodNotFound)
      })
    },
  }),
]
