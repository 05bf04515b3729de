import { type LogRecord, collectLogs } from '../support/log-messages.ts'
import { type Expectation, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import type { ToolsWorld } from '../support/world.ts'

/** From the least to the most severe (RFC 5424). */
const levels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** What was heard of all levels, where anything was. */
async function logged(world: ToolsWorld): Promise<readonly LogRecord[]> {
  const heard = await collectLogs(world, 'debug')
  if (heard.every(({ logs }) => logs.length === 0))
    throw new NotApplicable('nothing is logged to clients')
  return heard
}

const rank = (level: unknown): number => levels.findIndex((one) => one === level)
const all = (heard: readonly LogRecord[]) => heard.flatMap(({ logs }) => logs)

const hasLevel: Expectation<readonly LogRecord[]> = {
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
const hasData: Expectation<readonly LogRecord[]> = {
  name: 'has data',
  expected: 'data, of any type',
  test: (heard) => all(heard).every((params) => 'data' in params),
  received: (heard) =>
    `a message with ${Object.keys(all(heard).find((params) => !('data' in params)) ?? {}).join(', ')}`,
}
const declared: Expectation<readonly LogRecord[]> = {
  name: 'declares the capability',
  expected: 'the capability logging, where something is logged',
  test: (heard) => heard.every(({ logs, declaresLogging }) => logs.length === 0 || declaresLogging),
  received: (heard) => `${all(heard).length} messages, and no such capability`,
}
const below = (heard: readonly LogRecord[]) =>
  all(heard).filter(({ level }) => rank(level) !== -1 && rank(level) < rank('error'))
const keepsBelow: Expectation<readonly LogRecord[]> = {
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
    async run(world) {
      world.expectOf(await logged(world), hasLevel, hasData)
    },
  }),

  check('TOOL-LOG-02', {
    title: 'declares that it logs',
    async run(world) {
      const heard = await logged(world)
      // Capabilities that are not told at all are another row's affair.
      if (heard.some(({ declaresLogging }) => !declaresLogging))
        await world.requireMet('TOOL-MCP-01')
      world.expectOf(heard, declared)
    },
  }),

  check('TOOL-LOG-03', {
    title: 'logs nothing below the level that was asked for',
    async run(world) {
      const everything = await logged(world)
      const heard = (await collectLogs(world, 'error')).filter(({ keepsLevel }) => keepsLevel)
      if (heard.length === 0) throw new NotApplicable('without sessions nobody can ask for a level')
      // Whether a level is taken shows only where there was one to drop.
      const able = heard.filter(
        ({ levelAccepted, transport }) =>
          levelAccepted &&
          below(everything.filter((one) => one.transport === transport)).length > 0,
      )
      if (able.length === 0)
        throw new NotCovered(
          heard.some(({ levelAccepted }) => levelAccepted)
            ? 'nothing below error is logged'
            : 'it takes no level',
        )
      world.expectOf(able, keepsBelow)
    },
  }),

  check('TOOL-LOG-04', {
    title: 'logs what it likes',
    async run(world) {
      const logs = all(await collectLogs(world, 'debug'))
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
