import type { User } from './auth/guard.ts'
import type { ToolsContext, Elicited, ToolsSession, ClientMessages } from './call.ts'
import type { LogLevel } from './protocol.ts'
import { textOf } from './resources.ts'

/** How a call reaches its client: its own stream, or the session's. Both reject when the client has gone. */
export interface CallChannel {
  meta: Record<string, unknown> | undefined
  /** On whose behalf it is made; undefined where nobody was asked. */
  user: User | undefined
  /** Sends a notification along with the call. */
  notify(method: string, params: Record<string, unknown>): Promise<void>
  /** Sends a notification on the stream that belongs to no call. */
  announce(method: string, params: Record<string, unknown>): Promise<void>
  ask(
    method: string,
    params: Record<string, unknown>,
    timeoutMs: number,
  ): Promise<Record<string, unknown>>
}

export function talkOf(
  context: ToolsContext,
  session: ToolsSession,
  line: CallChannel,
): ClientMessages {
  const { rules, choices } = context
  const progressToken = rules.progressToken(line.meta)
  return {
    async progress(done, all, message) {
      if (progressToken === undefined || choices.progress === 'none') return
      await heard(
        line.notify('notifications/progress', {
          progressToken,
          ...rules.progress(done, all, choices),
          ...(choices.progressMessages ? { message } : {}),
        }),
      )
    },
    async log(level: LogLevel, text: string) {
      if (!choices.logging || !rules.hears(level, session.level)) return
      const params = {
        level,
        logger: context.name,
        data: choices.logData === 'text' ? text : { message: text },
      }
      await heard(
        choices.logStream === 'get'
          ? line.announce('notifications/message', params)
          : line.notify('notifications/message', params),
      )
    },
    async elicit(message, requestedSchema) {
      // Framed as JSON, an answer has no room for a question: then there has to be another stream.
      const reaches =
        session.transport !== 'http' ||
        (choices.sessions && (choices.framing === 'sse' || session.listening > 0))
      if (!choices.elicits || !reaches || session.capabilities['elicitation'] === undefined)
        return undefined
      try {
        return (await line.ask(
          'elicitation/create',
          { message, requestedSchema },
          rules.elicitationTimeoutMs,
        )) as unknown as Elicited
      } catch {
        return undefined
      }
    },
    read: async (uri) => textOf(context, uri),
  }
}

/** Who does not listen any more misses it. */
const heard = (sent: Promise<void>): Promise<void> => sent.catch(() => {})
