import { isObject } from '../../../engine/index.ts'
import type { McpExchange, McpReceived, McpTransport } from '../../../wire/index.ts'
import { isLog, maxDelay, plainCallsOrNone } from './plain-calls.ts'
import { harmlessCalls } from './progress-messages.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** The log messages that a client received after it had set a level. */
export interface LogRecord {
  readonly transport: McpTransport
  readonly handshake: McpExchange
  /** The first call that led to log messages, otherwise the last exchange of the session. */
  readonly exchange: McpExchange
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** Whether the server accepted the level. */
  readonly levelAccepted: boolean
  readonly declaresLogging: boolean
  /**
   * Whether the server can remember the level. Over Streamable HTTP, a server can do that only with
   * a session.
   */
  readonly canRememberLevel: boolean
}

/**
 * On each transport, sets the level, makes the calls that change nothing, and collects the log
 * messages. This is done once in a run for each level.
 */
export const collectLogs = (
  world: ToolsWorld,
  level: 'debug' | 'error',
): Promise<readonly LogRecord[]> =>
  world.shared(`logs from ${level} on`, async (common) => [
    ...(await common.onEachTransport((session) => collectOnTransport(common, session, level))),
    ...(level === 'debug' ? [await readPlainCalls(common)] : []),
  ])

/** Reads the logs of the calls of `makePlainCalls`, which are made with the level debug. */
async function readPlainCalls(world: ToolsWorld): Promise<LogRecord> {
  const session = await world.onOneTransport(async (shared) => shared)
  const calls = await plainCallsOrNone(world)
  const withLogs = calls.find(({ received }) => logsAmong(received).length > 0)
  return {
    transport: session.transport,
    handshake: session.handshake,
    exchange: withLogs?.exchange ?? session.handshake,
    logs: calls.flatMap(({ received }) => logsAmong(received)),
    levelAccepted: false,
    declaresLogging: session.declares('logging'),
    canRememberLevel: false,
  }
}

const logsAmong = (received: readonly McpReceived[]): LogRecord['logs'] =>
  received.filter(isLog).map(({ json: { params } }) => (isObject(params) ? params : {}))

/**
 * Like `collectLogs` with the level error, but another client sets the level debug before the
 * calls. Omits stdio, over which each client has a process of the server.
 */
export const collectLogsNextToDebug = (world: ToolsWorld): Promise<readonly LogRecord[]> =>
  world.shared('logs from error on, next to a client with debug', async (common) => {
    const transports = common.transports.filter((transport) => transport !== 'stdio')
    if (transports.length === 0) return []
    return common.onEachTransport(async (session) => {
      const other = await common.openSession(session.transport)
      return collectOnTransport(common, session, 'error', async () => {
        if (other.declares('logging')) await other.request('logging/setLevel', { level: 'debug' })
      })
    }, transports)
  })

/** `beforeCalls` runs when the level is set. */
async function collectOnTransport(
  world: ToolsWorld,
  { transport }: Session,
  level: string,
  beforeCalls: () => Promise<void> = () => Promise.resolve(),
): Promise<LogRecord> {
  const session = await world.openSession(transport)
  const { connection } = session
  // Log messages may arrive on the stream of the call or of the session. `from` excludes messages
  // that arrived on the stream of the session before the level was set.
  if (transport === 'http') {
    await connection.listen()
    await session.request('ping')
  }
  // Sets another level first, because the server must use the level that was set last.
  if (session.declares('logging') && level !== 'debug')
    await session.request('logging/setLevel', { level: 'debug' })
  const answer = session.declares('logging')
    ? await session.request('logging/setLevel', { level })
    : undefined
  await beforeCalls()
  const from = connection.received.length
  let exchange = answer ?? session.handshake
  let hasLogs = false
  for (const { tool, arguments: args } of harmlessCalls(world, session)) {
    const call = await session.call(tool, args)
    if (!hasLogs) exchange = call
    hasLogs = logsAmong(connection.received.slice(from)).length > 0
  }
  await connection.until(() => false, maxDelay)
  const logs = logsAmong(connection.received.slice(from))
  const remembers = transport !== 'http' || connection.sessionId !== undefined
  await connection.close()
  return {
    transport,
    handshake: session.handshake,
    exchange,
    logs,
    levelAccepted: answer?.result !== undefined,
    declaresLogging: session.declares('logging'),
    canRememberLevel: remembers,
  }
}
