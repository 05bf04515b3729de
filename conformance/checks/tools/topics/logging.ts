import { type LogRecord, collectLogs, collectLogsNextToDebug } from '../support/log-messages.ts'
import {
  Blocked,
  type Expectation,
  labelled,
  NotApplicable,
  NotCovered,
  ofValue,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from '../support/client-session.ts'
import { check } from '../support/define.ts'
import { expectOnEachTransport } from '../support/one-transport.ts'
import type { ToolsWorld } from '../support/world.ts'

/** The log levels, from the least to the most severe (RFC 5424). */
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

/** Returns the log messages of all levels. Throws `NotApplicable` if the server sends none. */
async function requireLogs(world: ToolsWorld): Promise<readonly LogRecord[]> {
  const records = await collectLogs(world, 'debug')
  if (records.every(({ logs }) => logs.length === 0))
    throw new NotApplicable('the server sends no log messages')
  return records
}

const rank = (level: unknown): number => levels.findIndex((one) => one === level)
const logsOf = (records: readonly LogRecord[]) => records.flatMap(({ logs }) => logs)

const hasLevel: Expectation<readonly LogRecord[]> = {
  name: 'has a level',
  expected: `the field level with one of ${levels.join(', ')}`,
  test: (records) => logsOf(records).every(({ level }) => rank(level) !== -1),
  received: (records) =>
    [
      ...new Set(
        logsOf(records)
          .filter(({ level }) => rank(level) === -1)
          .map(({ level }) => JSON.stringify(level) ?? 'no level'),
      ),
    ].join(', '),
}
const hasData: Expectation<readonly LogRecord[]> = {
  name: 'has data',
  expected: 'the field data (of any type) in each log message',
  test: (records) => logsOf(records).every((params) => 'data' in params),
  received: (records) =>
    `a message with only the fields ${Object.keys(logsOf(records).find((params) => !('data' in params)) ?? {}).join(', ')}`,
}
const declared: Expectation<readonly LogRecord[]> = {
  name: 'declares the capability',
  expected: 'the capability logging, because the server sends log messages',
  test: (records) =>
    records.every(({ logs, declaresLogging }) => logs.length === 0 || declaresLogging),
  received: (records) => `log messages without the capability: ${logsOf(records).length}`,
}
const lowerMessages = (records: readonly LogRecord[]) =>
  logsOf(records).filter(({ level }) => rank(level) !== -1 && rank(level) < rank('error'))
const sendsNoLowerLevels: Expectation<readonly LogRecord[]> = {
  name: 'sends no lower levels',
  expected: 'no log message with a level below error',
  test: (records) => lowerMessages(records).length === 0,
  received: (records) =>
    lowerMessages(records)
      .map(({ level }) => String(level))
      .join(', '),
}

const hasErrors = ({ logs }: LogRecord) => logs.some(({ level }) => level === 'error')
const sendsRequestedLevel: Expectation<readonly LogRecord[]> = {
  name: 'sends the requested level',
  expected: 'log messages of the level error, which the server sends if the level is debug',
  test: (records) => records.every(hasErrors),
  received: (records) =>
    `no such message over ${records.find((one) => !hasErrors(one))?.transport}`,
}
/** The response to a request that sets a level. */
interface LevelResponse {
  readonly level: string
  readonly exchange: McpExchange
}

const isRefused = ({ exchange }: LevelResponse) => exchange.result === undefined
const acceptsLevels: Expectation<readonly LevelResponse[]> = {
  name: 'accepts each level',
  expected: `a result for each of ${levels.join(', ')}`,
  test: (responses) => !responses.some(isRefused),
  received: (responses) => {
    const refused = responses.filter(isRefused)
    return [...new Set(refused.map(({ exchange }) => exchange.summary))]
      .map((summary) => {
        const same = refused.filter(({ exchange }) => exchange.summary === summary)
        return `for ${same.map(({ level }) => level).join(', ')}: ${summary}`
      })
      .join('; ')
  },
}
const refusesLevel: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'a JSON-RPC error',
  test: ({ error }) => error !== undefined,
}

const handshakeOf = ({ handshake }: LogRecord) => handshake
const exchangeOf = ({ exchange }: LogRecord) => exchange

/**
 * Runs `work` with a separate session on each transport. The check is not applicable if the server
 * does not declare the capability logging.
 */
const onLoggingSessions = (world: ToolsWorld, work: (session: Session) => Promise<void>) =>
  world.onEachTransport(async ({ transport }) => {
    const session = await world.openSession(transport)
    if (!session.declares('logging'))
      throw new NotApplicable('the server does not declare the capability logging')
    await work(session)
  })

/**
 * Collects records, and returns those that show whether the server obeys the level error: on the
 * same transport, the same calls produce messages below this level if the level is debug.
 */
async function requireComparableLogs(
  world: ToolsWorld,
  collect: () => Promise<readonly LogRecord[]>,
): Promise<readonly LogRecord[]> {
  const everything = await requireLogs(world)
  const remembering = (await collect()).filter(({ canRememberLevel }) => canRememberLevel)
  if (remembering.length === 0)
    throw new NotApplicable('without sessions the server cannot remember a level')
  const comparable = remembering.filter(
    ({ levelAccepted, transport }) =>
      levelAccepted &&
      lowerMessages(everything.filter((one) => one.transport === transport)).length > 0,
  )
  if (comparable.length === 0)
    throw new NotCovered(
      remembering.some(({ levelAccepted }) => levelAccepted)
        ? 'no log message has a level below error'
        : 'the server accepts no level',
    )
  return comparable
}

export const loggingChecks = [
  check('TOOL-LOG-01', {
    title: 'sends log messages with a level and data',
    async run(world) {
      expectOnEachTransport(world, await requireLogs(world), exchangeOf, hasLevel, hasData)
    },
  }),

  check('TOOL-LOG-02', {
    title: 'declares the capability logging',
    async run(world) {
      const records = await requireLogs(world)
      // TOOL-MCP-01 reports a handshake without the field capabilities.
      if (records.some(({ declaresLogging }) => !declaresLogging))
        await world.requireMet('TOOL-MCP-01')
      expectOnEachTransport(world, records, handshakeOf, declared)
    },
  }),

  check('TOOL-LOG-03', {
    title: 'sends no log messages below the requested level',
    async run(world) {
      const records = await requireComparableLogs(world, () => collectLogs(world, 'error'))
      expectOnEachTransport(world, records, exchangeOf, sendsNoLowerLevels)
    },
  }),

  check('TOOL-LOG-03', {
    title: 'sends each client only log messages of its own level',
    async run(world) {
      const records = await requireComparableLogs(world, () => collectLogsNextToDebug(world))
      expectOnEachTransport(
        world,
        records,
        exchangeOf,
        labelled('two clients with different levels', sendsNoLowerLevels),
      )
    },
  }),

  check('TOOL-LOG-04', {
    title: 'records which log messages are sent',
    async run(world) {
      const logs = logsOf(await collectLogs(world, 'debug'))
      const counts = levels
        .map((level) => [level, logs.filter((log) => log['level'] === level).length] as const)
        .filter(([, count]) => count > 0)
      world.observe(
        logs.length === 0
          ? 'the server sends no log messages'
          : `${counts.map(([level, count]) => `${count} of the level ${level}`).join(', ')}; the last is ${JSON.stringify(logs.at(-1)!['data']) ?? 'without data'}`,
      )
    },
  }),

  check('TOOL-LOG-05', {
    title: 'sends the log messages of the requested level',
    async run(world) {
      const everything = await requireLogs(world)
      const records = (await collectLogs(world, 'error')).filter(
        ({ canRememberLevel, levelAccepted }) => canRememberLevel && levelAccepted,
      )
      if (records.length === 0) throw new NotApplicable('the server remembers no level')
      // Compares only transports on which the same calls produce messages of the level error if the
      // level is debug.
      const comparable = records.filter(({ transport }) =>
        everything.some(
          (one) => one.canRememberLevel && one.transport === transport && hasErrors(one),
        ),
      )
      if (comparable.length === 0) throw new NotCovered('no message has the level error')
      expectOnEachTransport(world, comparable, exchangeOf, sendsRequestedLevel)
    },
  }),

  check('TOOL-LOG-06', {
    title: 'accepts each log level of the protocol',
    async run(world) {
      await onLoggingSessions(world, async (session) => {
        const responses: LevelResponse[] = []
        for (const level of levels)
          responses.push({ level, exchange: await session.request('logging/setLevel', { level }) })
        const shown = responses.find(isRefused) ?? responses[0]!
        world.expect(shown.exchange, ofValue(responses, acceptsLevels))
      })
    },
  }),

  check('TOOL-LOG-07', {
    title: 'refuses an unknown log level',
    async run(world) {
      await onLoggingSessions(world, async (session) => {
        const accepted = await session.request('logging/setLevel', { level: 'info' })
        if (accepted.result === undefined) throw new Blocked('TOOL-LOG-06', accepted.summary)
        world.expect(
          await session.request('logging/setLevel', { level: 'touchstone' }),
          refusesLevel,
        )
      })
    },
  }),
]
