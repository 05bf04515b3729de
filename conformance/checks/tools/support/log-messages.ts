import { isObject } from '../../../engine/index.ts'
import type { McpReceived, McpTransport } from '../../../wire/index.ts'
import { harmlessCalls } from './progress-messages.ts'

import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** What a client heard that asked for a level. */
export interface LogRecord {
  readonly transport: McpTransport
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** Whether the server took the level. */
  readonly levelAccepted: boolean
  readonly declaresLogging: boolean
  /** Whether what a session says once is known later: streamable HTTP may have no sessions. */
  readonly keepsLevel: boolean
}

/** How long messages may be late on a stream of their own, in milliseconds. */
const maxDelay = 1000

const isLog = ({ json }: McpReceived): boolean => json['method'] === 'notifications/message'

/** What was logged while the harmless calls were made, for each transport, by a client that asked for the level first; once in a run. */
export const collectLogs = (
  world: ToolsWorld,
  level: 'debug' | 'error',
): Promise<readonly LogRecord[]> =>
  world.shared(`logs from ${level} on`, (common) =>
    common.onEachTransport((session) => collectOnTransport(common, session, level)),
  )

async function collectOnTransport(
  world: ToolsWorld,
  { transport }: Session,
  level: string,
): Promise<LogRecord> {
  const session = await world.openSession(transport)
  const { connection } = session
  const answer = session.declares('logging')
    ? await session.request('logging/setLevel', { level })
    : undefined
  const from = connection.received.length
  // They may come on the stream of the call, or on the session's own.
  if (transport === 'http') await connection.listen()
  for (const { tool, arguments: given } of harmlessCalls(world, session))
    await session.call(tool, given)
  await connection.until(() => false, maxDelay)
  const logs = connection.received
    .slice(from)
    .filter(isLog)
    .map(({ json: { params } }) => (isObject(params) ? params : {}))
  const remembers = transport !== 'http' || connection.sessionId !== undefined
  await connection.close()
  return {
    transport,
    logs,
    levelAccepted: answer?.result !== undefined,
    declaresLogging: session.declares('logging'),
    keepsLevel: remembers,
  }
}
