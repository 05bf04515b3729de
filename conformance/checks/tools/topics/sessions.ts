import {
  Blocked,
  type Expectation,
  labelled,
  NotApplicable,
  NotCovered,
} from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpInitializeOptions } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import type { Session } from '../support/client-session.ts'
import { refusesWith } from '../support/expectations.ts'
import { arePredictable } from '../support/session-ids.ts'
import type { ToolsWorld } from '../support/world.ts'

const idOf = (exchange: McpExchange): string | undefined => exchange.header('mcp-session-id')

const visible: Expectation<McpExchange> = {
  name: 'is visible ASCII',
  expected: 'Mcp-Session-Id with visible ASCII characters only (! to ~)',
  test: (exchange) => /^[!-~]+$/.test(idOf(exchange) ?? ''),
}
const distinct: Expectation<readonly McpExchange[]> = {
  name: 'are different',
  expected: 'a different Mcp-Session-Id for each client',
  test: (handshakes) => new Set(handshakes.map(idOf)).size === handshakes.length,
  received: (handshakes) => handshakes.map(idOf).join(', '),
}
const staysOpen: Expectation<McpExchange> = {
  name: 'stays open',
  expected: 'a result for tools/list, because only the session of another client was ended',
  test: ({ result }) => result !== undefined,
}

/**
 * The maximum time for which a deleted session may stay open, and the pause between two requests,
 * in milliseconds.
 */
const deletion = { limit: 1000, pause: 100 }

/** How many sessions are opened, one after the other, to compare their ids. */
const comparedSessions = 6

const unpredictable: Expectation<readonly McpExchange[]> = {
  name: 'are unpredictable',
  expected: 'session ids that do not only count up, or only contain the time',
  test: (handshakes) => !arePredictable(handshakes.map((one) => idOf(one) ?? '')),
  received: (handshakes) => handshakes.map(idOf).join(', '),
}

/** Whether the server opens an event stream for this session. Servers need not have any. */
const opensStream = async (
  { runThroughGate }: ToolsWorld,
  { connection }: Session,
): Promise<boolean> => (await runThroughGate(() => connection.listen()))?.httpStatus === 200

/** Opens a session over HTTP. Throws `NotApplicable` if the server has no sessions. */
async function openHttpSession(
  { openSession }: ToolsWorld,
  options: McpInitializeOptions = {},
): Promise<Session> {
  const session = await openSession('http', options)
  if (idOf(session.handshake) === undefined) throw new NotApplicable('the server has no sessions')
  return session
}

/** Deletes a session and returns its id. */
async function deleteSession(
  { runThroughGate }: ToolsWorld,
  connection: McpConnection,
): Promise<string> {
  const { sessionId = '' } = connection
  const ended = await runThroughGate(async () => (await connection.terminate())!)
  if (ended.httpStatus === 405)
    throw new NotApplicable('the server does not let clients end sessions')
  if (ended.httpStatus === undefined || ended.httpStatus < 200 || ended.httpStatus >= 300)
    throw new NotCovered(`the session could not be ended: ${ended.summary}`)
  return sessionId
}

export const sessionsChecks = [
  check('TOOL-HTTP-05', {
    title: 'uses session ids of visible ASCII characters',
    async run(world) {
      const { handshake } = await openHttpSession(world)
      world.expect(handshake, visible)
    },
  }),

  check('TOOL-HTTP-06', {
    title: 'returns 404 for an ended session',
    async run(world) {
      const { runThroughGate, expect, requireMet, wait } = world
      const session = await openHttpSession(world)
      const { connection, request } = session
      const withId = await request('tools/list')
      if (withId.result === undefined) await requireMet('TOOL-SERVER-01', withId.summary)
      const hasStreams = await opensStream(world, session)
      connection.sessionId = await deleteSession(world, connection)
      const requestAgain = () =>
        runThroughGate(() =>
          connection.request('tools/list', {}, { operation: 'tools/list after the end' }),
        )
      let after = await requestAgain()
      for (
        let waited = 0;
        after.httpStatus !== 404 && waited < deletion.limit;
        waited += deletion.pause
      ) {
        await wait(deletion.pause)
        after = await requestAgain()
      }
      const stream = hasStreams ? await runThroughGate(() => connection.listen()) : undefined
      connection.sessionId = undefined
      expect(after, labelled('a request', refusesWith(404)))
      if (stream !== undefined) expect(stream, labelled('an event stream', refusesWith(404)))
    },
  }),

  check('TOOL-HTTP-07', {
    title: 'returns 400 for requests without a session id',
    async run(world) {
      const { runThroughGate, expect, requireMet } = world
      const session = await openHttpSession(world)
      const { connection, request } = session
      const { sessionId } = connection
      const withId = await request('tools/list')
      if (withId.result === undefined) await requireMet('TOOL-SERVER-01', withId.summary)
      const hasStreams = await opensStream(world, session)
      connection.sessionId = undefined
      const withoutId = await runThroughGate(() =>
        connection.request('tools/list', {}, { operation: 'tools/list without a session' }),
      )
      const stream =
        withoutId.result === undefined && hasStreams
          ? await runThroughGate(() => connection.listen())
          : undefined
      connection.sessionId = sessionId
      // A server may accept requests without a session id. The requirement does not apply to it.
      if (withoutId.result !== undefined)
        throw new NotApplicable('the server does not require a session id')
      expect(withoutId, labelled('a request', refusesWith(400)))
      if (stream !== undefined) expect(stream, labelled('an event stream', refusesWith(400)))
    },
  }),

  check('TOOL-HTTP-15', {
    title: 'uses session ids that other clients cannot predict',
    async run(world) {
      const handshakes: McpExchange[] = []
      // One after the other, so that ids that count up or contain the time are in order.
      for (let count = 0; count < comparedSessions; count += 1)
        handshakes.push((await openHttpSession(world)).handshake)
      world.expectValue(handshakes, unpredictable)
    },
  }),

  check('TOOL-HTTP-11', {
    title: 'opens a separate session for each client',
    async run(world) {
      // Even clients with the same clientInfo are different clients.
      const options = { clientInfo: { name: 'touchstone', title: 'Touchstone', version: '1' } }
      const sessions = await Promise.all([
        openHttpSession(world, options),
        openHttpSession(world, options),
        openHttpSession(world, options),
      ])
      world.expectValue(
        sessions.map(({ handshake }) => handshake),
        distinct,
      )
      const [first, second] = sessions
      const before = await second.request('tools/list')
      if (before.result === undefined) throw new Blocked('TOOL-SERVER-01', before.summary)
      // If the server refuses DELETE, the first session stays open, and nothing can be compared.
      const ended = await world.runThroughGate(async () => (await first.connection.terminate())!)
      if ((ended.httpStatus ?? 0) < 300) world.expect(await second.request('tools/list'), staysOpen)
    },
  }),
]
