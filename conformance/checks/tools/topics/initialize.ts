import { Blocked, type Expectation, isObject, NotApplicable } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { transportRequirements } from '../support/transport-requirements.ts'
import { requestVersion, revisions, supportedVersions, versionOf } from '../support/versions.ts'

/** A version that never existed. */
const nonexistent = '1999-01-01'

const infoOf = ({ result }: McpExchange): Readonly<Record<string, unknown>> => {
  const info = result?.['serverInfo']
  return isObject(info) ? info : {}
}

const completeness: readonly Expectation<McpExchange>[] = [
  {
    name: 'has a protocol version',
    expected: 'the field protocolVersion (a string)',
    test: (exchange) => typeof versionOf(exchange) === 'string',
  },
  {
    name: 'has capabilities',
    expected: 'the field capabilities (an object)',
    test: ({ result }) => isObject(result?.['capabilities']),
  },
  {
    name: 'has a server name',
    expected: 'the field serverInfo.name (a string)',
    test: (exchange) => typeof infoOf(exchange)['name'] === 'string',
  },
  {
    name: 'has a server version',
    expected: 'the field serverInfo.version (a string)',
    test: (exchange) => typeof infoOf(exchange)['version'] === 'string',
  },
]

const agreesAgain: Expectation<McpExchange> = {
  name: 'accepts a version that it supports',
  expected: 'protocolVersion as requested, because the server returned it before',
  test: (exchange) => versionOf(exchange) === requestedVersion(exchange),
}
const refusesUnknown: Expectation<McpExchange> = {
  name: 'does not accept an unknown version',
  expected: 'a protocolVersion other than the requested one, or an error',
  test: (exchange) =>
    exchange.error !== undefined ||
    (exchange.httpStatus ?? 0) >= 400 ||
    (typeof versionOf(exchange) === 'string' && versionOf(exchange) !== nonexistent),
}

const returnsLatest = (versions: readonly unknown[]): Expectation<McpExchange> => ({
  name: 'returns its latest version',
  expected: `the latest of the versions that the server supports (${versions.join(', ')})`,
  test: (exchange) => versionOf(exchange) === versions.map(String).toSorted().at(-1),
})

const requestedVersion = ({ sent }: McpExchange): unknown =>
  (JSON.parse(sent.text ?? '{}') as { params?: { protocolVersion?: unknown } }).params
    ?.protocolVersion

export const initializeChecks = [
  check('TOOL-MCP-01', {
    title: 'returns a protocol version, capabilities, and the name and version of the server',
    async run({ transports, openSharedSession, expect }) {
      const all = await Promise.all(
        transports.map(async (transport) => ({
          transport,
          ...(await openSharedSession(transport)),
        })),
      )
      const answered = all.filter(({ handshake: { result } }) => result !== undefined)
      if (answered.length === 0)
        throw new Blocked(transportRequirements[all[0]!.transport], all[0]!.handshake.summary)
      for (const { handshake } of answered) expect(handshake, ...completeness)
    },
  }),

  check('TOOL-MCP-02', {
    title: 'negotiates a protocol version that it supports',
    async run(world) {
      const { onEachTransport, expect } = world
      await onEachTransport(async ({ transport, handshake }) => {
        const first = versionOf(handshake)
        if (typeof first !== 'string') throw new Blocked('TOOL-MCP-01', handshake.summary)
        const foreign = await requestVersion(world, transport, nonexistent)
        expect(foreign, refusesUnknown)
        // Over stdio, requests fewer versions, because a subprocess is slow to start.
        const requested = transport === 'stdio' ? [] : revisions
        const returned = (
          await Promise.all(requested.map((version) => requestVersion(world, transport, version)))
        ).map(versionOf)
        const versions = new Set(
          [first, versionOf(foreign), ...returned].filter((version) => typeof version === 'string'),
        )
        await Promise.all(
          [...versions].map(async (version) =>
            expect(await requestVersion(world, transport, version), agreesAgain),
          ),
        )
      })
    },
  }),

  check('TOOL-MCP-18', {
    title: 'returns its latest version to a client that requests an unknown one',
    async run(world) {
      const transports = world.transports.filter((transport) => transport !== 'stdio')
      await world.onEachTransport(
        async ({ transport }) => {
          const unknown = await requestVersion(world, transport, nonexistent)
          // A server may also refuse an unknown version with an error.
          if (typeof versionOf(unknown) !== 'string')
            throw new NotApplicable(`the server returns no version: ${unknown.summary}`)
          const supported = await supportedVersions(world, transport)
          world.expect(unknown, returnsLatest([...new Set([...supported, versionOf(unknown)])]))
        },
        // Over stdio, each version needs a subprocess, which is slow to start.
        transports.length === 0 ? world.transports : transports,
      )
    },
  }),

  check('TOOL-MCP-03', {
    title: 'declares the capability tools',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        const { handshake, definitions, listPages } = session
        if (!isObject(handshake.result?.['capabilities']))
          throw new Blocked('TOOL-MCP-01', handshake.summary)
        if (definitions.length === 0)
          throw new Blocked('TOOL-SERVER-01', listPages[0]?.summary ?? 'no list of tools')
        expect(handshake, {
          name: 'declares tools',
          expected: 'the field capabilities.tools (an object)',
          test: () => session.declares('tools'),
        })
      })
    },
  }),

  check('TOOL-VERSION-01', {
    title: 'records the versions of the server and of MCP in the handshake',
    async run({ onEachTransport, observe }) {
      const versions = await onEachTransport(
        async ({ transport, handshake }) =>
          `${transport}: server version ${String(infoOf(handshake)['version'])}, protocol version ${String(versionOf(handshake))}`,
      )
      for (const one of versions) observe(one)
    },
  }),

  watch('TOOL-MCP-16', {
    title: 'sends no requests before the response to initialize',
    examine: ({ operation, answer, requests }) => {
      if (operation !== 'initialize' || answer === undefined) return []
      const early = requests.filter(
        ({ order, json }) => order < answer.order && json['method'] !== 'ping',
      )
      return [
        {
          name: 'sends no request before its response',
          held: early.length === 0,
          expected: 'no request except ping before the response to initialize',
          received:
            early.length === 0
              ? 'as expected'
              : early.map(({ json }) => String(json['method'])).join(', '),
        },
      ]
    },
  }),
]
