import { Blocked, type Expectation, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpInitializeOptions } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import type { Session } from '../support/client-session.ts'
import { refusesWith } from '../support/expectations.ts'
import type { ToolsWorld } from '../support/world.ts'

const idOf = (exchange: McpExchange): string | undefined => exchange.header('mcp-session-id')

const visible: Expectation<McpExchange> = {
  name: 'is visible ASCII',
  expected: 'Mcp-Session-Id of characters from ! to ~',
  test: (exchange) => /^[!-~]+$/.test(idOf(exchange) ?? ''),
}
const others: Expectation<readonly McpExchange[]> = {
  name: 'are different',
  expected: 'another Mcp-Session-Id for each client',
  test: (handshakes) => new Set(handshakes.map(idOf)).size === handshakes.length,
  received: (handshakes) => handshakes.map(idOf).join(', '),
}
const goesOn: Expectation<McpExchange> = {
  name: 'outlasts the other',
  expected: 'a result for tools/list',
  test: ({ result }) => result !== undefined,
}

/** Milliseconds for which a session may still end whose end was accepted, and between two looks. */
const ending = { most: 1000, step: 100 }

/** A session of its own, where the server keeps any. */
async function kept(
  { openSession }: ToolsWorld,
  options: McpInitializeOptions = {},
): Promise<Session> {
  const session = await openSession('http', options)
  if (idOf(session.handshake) === undefined) throw new NotApplicable('keeps no sessions')
  return session
}

/** Ends a session, and gives its id. */
async function end({ runThroughGate }: ToolsWorld, connection: McpConnection): Promise<string> {
  const { sessionId = '' } = connection
  const ended = await runThroughGate(async () => (await connection.terminate())!)
  if (ended.httpStatus === 405) throw new NotApplicable('does not let clients end sessions')
  if (ended.httpStatus === undefined || ended.httpStatus < 200 || ended.httpStatus >= 300)
    throw new NotCovered(`the session could not be ended: ${ended.summary}`)
  return sessionId
}

export const sessions = [
  check('TOOL-HTTP-05', {
    title: 'names sessions in visible ASCII',
    async run(world) {
      const { handshake } = await kept(world)
      world.expect(handshake, visible)
    },
  }),

  check('TOOL-HTTP-06', {
    title: 'knows a session no more that was ended',
    async run(world) {
      const { runThroughGate, expect, requireMet, wait } = world
      const { connection, request } = await kept(world)
      const usual = await request('tools/list')
      if (usual.result === undefined) await requireMet('TOOL-SERVER-01', usual.summary)
      connection.sessionId = await end(world, connection)
      const again = () =>
        runThroughGate(() =>
          connection.request('tools/list', {}, { operation: 'tools/list after the end' }),
        )
      let after = await again()
      for (
        let waited = 0;
        after.httpStatus !== 404 && waited < ending.most;
        waited += ending.step
      ) {
        await wait(ending.step)
        after = await again()
      }
      connection.sessionId = undefined
      expect(after, refusesWith(404))
    },
  }),

  check('TOOL-HTTP-07', {
    title: 'refuses requests without a session',
    async run(world) {
      const { runThroughGate, expect, requireMet } = world
      const { connection, request } = await kept(world)
      const { sessionId } = connection
      const usual = await request('tools/list')
      if (usual.result === undefined) await requireMet('TOOL-SERVER-01', usual.summary)
      connection.sessionId = undefined
      const without = await runThroughGate(() =>
        connection.request('tools/list', {}, { operation: 'tools/list without a session' }),
      )
      connection.sessionId = sessionId
      expect(without, refusesWith(400))
    },
  }),

  check('TOOL-HTTP-11', {
    title: 'gives each client a session of its own',
    async run(world) {
      // Clients that look alike are told apart all the same.
      const alike = { clientInfo: { name: 'touchstone', title: 'Touchstone', version: '1' } }
      const both = await Promise.all([kept(world, alike), kept(world, alike), kept(world, alike)])
      world.expectOf(
        both.map(({ handshake }) => handshake),
        others,
      )
      const [first, second] = both
      const before = await second.request('tools/list')
      if (before.result === undefined) throw new Blocked('TOOL-SERVER-01', before.summary)
      // Where no session can be ended, there is nothing that the other could outlast.
      const ended = await world.runThroughGate(async () => (await first.connection.terminate())!)
      if ((ended.httpStatus ?? 0) < 300) world.expect(await second.request('tools/list'), goesOn)
    },
  }),
]
