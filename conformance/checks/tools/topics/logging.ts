import { type Expectation, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpReceived, McpTransport } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { harmless } from './progress.ts'
import { isObject } from '../support/results.ts'
import type { Session } from '../support/client-session.ts'
import type { ToolsWorld } from '../support/world.ts'

/** From the least to the most severe (RFC 5424). */
export const levels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** What a client heard that asked for a level. */
interface Heard {
  readonly transport: McpTransport
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** Whether the server took the level. */
  readonly asked: boolean
  readonly declares: boolean
  /** Whether what a session says once is known later: streamable HTTP may have no sessions. */
  readonly remembers: boolean
}

/** How long messages may be late on a stream of their own, in milliseconds. */
const lateness = 1000

const isLog = ({ json }: McpReceived): boolean => json['method'] === 'notifications/message'

/** What was logged while the harmless calls were made, for each transport, by a client that asked for the level first; once in a run. */
const heardOf = (world: ToolsWorld, level: 'debug' | 'error'): Promise<readonly Heard[]> =>
  world.shared(`logs from ${level} on`, (common) =>
    common.each((session) => listen(common, session, level)),
  )

async function listen(world: ToolsWorld, { transport }: Session, level: string): Promise<Heard> {
  const session = await world.open(transport)
  const { connection } = session
  const answer = session.declares('logging')
    ? await session.request('logging/setLevel', { level })
    : undefined
  const from = connection.received.length
  // They may come on the stream of the call, or on the session's own.
  if (transport === 'http') await connection.listen()
  for (const { tool, arguments: given } of harmless(world, session)) await session.call(tool, given)
  await connection.until(() => false, lateness)
  const logs = connection.received
    .slice(from)
    .filter(isLog)
    .map(({ json: { params } }) => (isObject(params) ? params : {}))
  const remembers = transport !== 'http' || connection.sessionId !== undefined
  await connection.close()
  return {
    transport,
    logs,
    asked: answer?.result !== undefined,
    declares: session.declares('logging'),
    remembers,
  }
}

/** What was heard of all levels, where anything was. */
async function logged(world: ToolsWorld): Promise<readonly Heard[]> {
  const heard = await heardOf(world, 'debug')
  if (heard.every(({ logs }) => logs.length === 0))
    throw new NotApplicable('nothing is logged to clients')
  return heard
}

const rank = (level: unknown): number => levels.findIndex((one) => one === level)
const all = (heard: readonly Heard[]) => heard.flatMap(({ logs }) => logs)

const hasLevel: Expectation<readonly Heard[]> = {
  name: 'has a level',
  expected: `one of ${levels.join(', ')}`,
  test: (heard) => all(heard).every(({ level }) => rank(level) !== -1),
  received: (heard) =>
    [
      ...new Set(
        all(heard)
          .filter(({ level }) => rank(level) === -1)
          .map(({ level }) => JSON.stringify(level) ?? 'no level'),
      ),
    ].join(', '),
}
const hasData: Expectation<readonly Heard[]> = {
  name: 'has data',
  expected: 'data, of any type',
  test: (heard) => all(heard).every((params) => 'data' in params),
  received: (heard) =>
    `a message with ${Object.keys(all(heard).find((params) => !('data' in params)) ?? {}).join(', ')}`,
}
const declared: Expectation<readonly Heard[]> = {
  name: 'declares the capability',
  expected: 'the capability logging, where something is logged',
  test: (heard) => heard.every(({ logs, declares }) => logs.length === 0 || declares),
  received: (heard) => `${all(heard).length} messages, and no such capability`,
}
const below = (heard: readonly Heard[]) =>
  all(heard).filter(({ level }) => rank(level) !== -1 && rank(level) < rank('error'))
const keepsBelow: Expectation<readonly Heard[]> = {
  name: 'tells no lower levels',
  expected: 'no message below error',
  test: (heard) => below(heard).length === 0,
  received: (heard) =>
    below(heard)
      .map(({ level }) => String(level))
      .join(', '),
}

export const logging = [
  check('TOOL-LOG-01', {
    title: 'logs with a level and data',
    async play(world) {
      world.expectOf(await logged(world), hasLevel, hasData)
    },
  }),

  check('TOOL-LOG-02', {
    title: 'declares that it logs',
    async play(world) {
      const heard = await logged(world)
      // Capabilities that are not told at all are another row's affair.
      if (heard.some(({ declares }) => !declares)) await world.stands('TOOL-MCP-01')
      world.expectOf(heard, declared)
    },
  }),

  check('TOOL-LOG-03', {
    title: 'logs nothing below the level that was asked for',
    async play(world) {
      const everything = await logged(world)
      const heard = (await heardOf(world, 'error')).filter(({ remembers }) => remembers)
      if (heard.length === 0) throw new NotApplicable('without sessions nobody can ask for a level')
      // Whether a level is taken shows only where there was one to drop.
      const able = heard.filter(
        ({ asked, transport }) =>
          asked && below(everything.filter((one) => one.transport === transport)).length > 0,
      )
      if (able.length === 0)
        throw new NotCovered(
          heard.some(({ asked }) => asked) ? 'nothing below error is logged' : 'it takes no level',
        )
      world.expectOf(able, keepsBelow)
    },
  }),

  check('TOOL-LOG-04', {
    title: 'logs what it likes',
    async play(world) {
      const logs = all(await heardOf(world, 'debug'))
      const counts = levels
        .map((level) => [level, logs.filter((log) => log['level'] === level).length] as const)
        .filter(([, count]) => count > 0)
      world.observe(
        logs.length === 0
          ? 'nothing is logged to clients'
          : `${counts.map(([level, count]) => `${count} of ${level}`).join(', ')}; the last is ${JSON.stringify(logs.at(-1)!['data']) ?? 'without data'}`,
      )
    },
  }),
]
