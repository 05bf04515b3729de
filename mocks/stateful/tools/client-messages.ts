import type { User } from './auth/guard.ts'
import type { ToolsContext, ElicitationResponse, ToolsSession, ClientMessages } from './call.ts'
import { isObject } from '../http/body.ts'
import type { LogLevel } from './protocol.ts'
import { textOf } from './resources.ts'

/**
 * Sends messages to the client of a call, on the stream of the call or on the stream of the
 * session. The functions reject if the client has disconnected.
 */
export interface CallChannel {
  /** The member `_meta` of the call. */
  meta: Record<string, unknown> | undefined
  /** The user who calls; undefined without authentication. */
  user: User | undefined
  /** Sends a notification on the stream of the call. */
  notify(method: string, params: Record<string, unknown>): Promise<void>
  /** Sends a notification on the stream of the session. */
  notifySession(method: string, params: Record<string, unknown>): Promise<void>
  /** Sends a request and resolves to its result. Rejects after `timeoutMs` milliseconds. */
  request(
    method: string,
    params: Record<string, unknown>,
    timeoutMs: number,
  ): Promise<Record<string, unknown>>
}

/**
 * Makes the functions that a tool can use during a call, to send messages to the client and to read
 * resources. The functions follow the choices of the server.
 */
export function newClientMessages(
  context: ToolsContext,
  session: ToolsSession,
  channel: CallChannel,
): ClientMessages {
  const { rules, choices } = context
  const progressToken = rules.progressToken(channel.meta)
  /** Sends a request, if the client has the capability and can be reached. */
  const ask = async (capability: string, method: string, params: Record<string, unknown>) => {
    // A response framed as JSON cannot contain a request, so another stream must be open.
    const isReachable =
      session.transport !== 'http' ||
      (choices.sessions && (choices.framing === 'sse' || session.openStreams > 0))
    if (!isReachable || session.capabilities[capability] === undefined) return undefined
    return channel.request(method, params, rules.elicitationTimeoutMs).catch(() => undefined)
  }
  return {
    async progress(done, all, message) {
      if (progressToken === undefined || choices.progress === 'none') return
      await ignoreFailure(
        channel.notify('notifications/progress', {
          progressToken,
          ...rules.progress(done, all, choices),
          ...(choices.progressMessages ? { message } : {}),
        }),
      )
    },
    async log(level: LogLevel, text: string) {
      if (!choices.logging || !rules.wantsLogLevel(level, session.level)) return
      const params = {
        level,
        logger: context.name,
        data: choices.logData === 'text' ? text : { message: text },
      }
      await ignoreFailure(
        choices.logStream === 'get'
          ? channel.notifySession('notifications/message', params)
          : channel.notify('notifications/message', params),
      )
    },
    async elicit(message, requestedSchema) {
      if (!choices.elicitation || !showsForms(session.capabilities['elicitation'])) return undefined
      return (await ask('elicitation', 'elicitation/create', {
        message,
        requestedSchema,
      })) as unknown as ElicitationResponse | undefined
    },
    sample: (params) => ask('sampling', 'sampling/createMessage', params),
    read: async (uri) => textOf(context, uri),
  }
}

/** Whether a client with this capability shows forms, which is the default (MCP 2025-11-25). */
const showsForms = (capability: unknown): boolean =>
  !isObject(capability) || 'form' in capability || !('url' in capability)

/** Ignores that a message could not be sent because the client has disconnected. */
const ignoreFailure = (sent: Promise<void>): Promise<void> => sent.catch(() => {})
