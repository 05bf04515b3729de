import { Blocked, type Expectation, isObject } from '../../../engine/index.ts'
import type { McpExchange, McpTransport } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { transportRequirements } from '../support/transport-requirements.ts'
import type { ToolsWorld } from '../support/world.ts'

/** The revisions that begin with a handshake. */
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
/** No revision, and none to come. */
const nonexistent = '1999-01-01'

const infoOf = ({ result }: McpExchange): Readonly<Record<string, unknown>> => {
  const info = result?.['serverInfo']
  return isObject(info) ? info : {}
}
const versionOf = ({ result }: McpExchange): unknown => result?.['protocolVersion']

const completeness: readonly Expectation<McpExchange>[] = [
  {
    name: 'tells a version of the protocol',
    expected: 'protocolVersion, a string',
    test: (exchange) => typeof versionOf(exchange) === 'string',
  },
  {
    name: 'tells capabilities',
    expected: 'capabilities, an object',
    test: ({ result }) => isObject(result?.['capabilities']),
  },
  {
    name: 'tells its name',
    expected: 'serverInfo.name, a string',
    test: (exchange) => typeof infoOf(exchange)['name'] === 'string',
  },
  {
    name: 'tells its own version',
    expected: 'serverInfo.version, a string',
    test: (exchange) => typeof infoOf(exchange)['version'] === 'string',
  },
]

const speaksAgain: Expectation<McpExchange> = {
  name: 'speaks the version that it told',
  expected: 'the version that was asked for, which it told before',
  test: (exchange) => versionOf(exchange) === askedFor(exchange),
}
const knowsNone: Expectation<McpExchange> = {
  name: 'takes no version that does not exist',
  expected: 'another version, or an error',
  test: (exchange) =>
    exchange.error !== undefined ||
    (exchange.httpStatus ?? 0) >= 400 ||
    (typeof versionOf(exchange) === 'string' && versionOf(exchange) !== nonexistent),
}

const askedFor = ({ sent }: McpExchange): unknown =>
  (JSON.parse(sent.text ?? '{}') as { params?: { protocolVersion?: unknown } }).params
    ?.protocolVersion

/** A handshake of its own that asks for this version. */
async function shakes(
  { connect, runThroughGate }: ToolsWorld,
  transport: McpTransport,
  protocolVersion: string,
): Promise<McpExchange> {
  const connection = await connect(transport)
  return runThroughGate(() => connection.initialize({ protocolVersion }))
}

export const handshaking = [
  check('TOOL-MCP-01', {
    title: 'tells in the handshake its version, its capabilities and who it is',
    async run({ transports, handshake: shakeHands, expect }) {
      const all = await Promise.all(
        transports.map(async (transport) => ({ transport, ...(await shakeHands(transport)) })),
      )
      const answered = all.filter(({ handshake: { result } }) => result !== undefined)
      if (answered.length === 0)
        throw new Blocked(transportRequirements[all[0]!.transport], all[0]!.handshake.summary)
      for (const { handshake } of answered) expect(handshake, ...completeness)
    },
  }),

  check('TOOL-MCP-02', {
    title: 'agrees on a version that it speaks',
    async run(world) {
      const { onEachTransport, expect } = world
      await onEachTransport(async ({ transport, handshake }) => {
        const first = versionOf(handshake)
        if (typeof first !== 'string') throw new Blocked('TOOL-MCP-01', handshake.summary)
        const foreign = await shakes(world, transport, nonexistent)
        expect(foreign, knowsNone)
        // A subprocess takes long to start: it is asked for as few versions as tell something.
        const asked = transport === 'stdio' ? [] : revisions
        const given = (
          await Promise.all(asked.map((version) => shakes(world, transport, version)))
        ).map(versionOf)
        const told = new Set(
          [first, versionOf(foreign), ...given].filter((version) => typeof version === 'string'),
        )
        await Promise.all(
          [...told].map(async (version) =>
            expect(await shakes(world, transport, version), speaksAgain),
          ),
        )
      })
    },
  }),

  check('TOOL-MCP-03', {
    title: 'declares that it has tools',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        const { handshake, definitions, listPages } = session
        if (!isObject(handshake.result?.['capabilities']))
          throw new Blocked('TOOL-MCP-01', handshake.summary)
        if (definitions.length === 0)
          throw new Blocked('TOOL-SERVER-01', listPages[0]?.summary ?? 'no list of tools')
        expect(handshake, {
          name: 'declares tools',
          expected: 'capabilities.tools, an object',
          test: () => session.declares('tools'),
        })
      })
    },
  }),

  check('TOOL-VERSION-01', {
    title: 'how it tells its version',
    async run({ onEachTransport, observe }) {
      const told = await onEachTransport(
        async ({ transport, handshake }) =>
          `${transport}: version ${String(infoOf(handshake)['version'])}, speaking ${String(versionOf(handshake))}`,
      )
      for (const one of told) observe(one)
    },
  }),
]
