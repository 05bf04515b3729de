import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js'
import { z } from 'zod'
import { userOf } from './auth/guard.ts'
import type { ToolsContext, ToolsSession, TransportName } from './call.ts'
import { answerTo, capabilitiesOf } from './methods.ts'
import type { CallChannel } from './talk.ts'
import { tap } from './tap.ts'

/** Node's timers take no more. */
const longest = 2 ** 31 - 1
const anything = z.looseObject({})

/** The SDK would make a validator of JSON Schemas for each server. Answers of clients are looked at by the tools. */
const jsonSchemaValidator: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
}

/** Puts a server of the SDK behind a transport, for one client. The SDK pairs, cancels and numbers; every answer is written here. */
export async function connect(
  context: ToolsContext,
  name: TransportName,
  transport: Transport,
): Promise<ToolsSession> {
  const { choices, clock } = context
  const server = new Server(
    { name: context.name, version: '1.0.0' },
    { capabilities: capabilitiesOf(context), jsonSchemaValidator },
  )
  const session: ToolsSession = {
    id: undefined,
    transport: name,
    owner: undefined,
    capabilities: {},
    protocolVersion: undefined,
    level: undefined,
    listening: name === 'http' ? 0 : 1,
    close: () => server.close(),
  }
  // All requests fall through to these handlers: what the SDK would answer by itself, nobody could change.
  for (const method of ['initialize', 'ping', 'logging/setLevel'])
    server.removeRequestHandler(method)
  server.fallbackRequestHandler = ({ method, params }, extra) => {
    const line: CallChannel = {
      meta: params?._meta,
      user: userOf(extra.authInfo),
      notify: (to, sent) => extra.sendNotification({ method: to, params: sent } as never),
      announce: (to, sent) => server.notification({ method: to, params: sent } as never),
      async ask(to, sent, timeoutMs) {
        const giveUp = new AbortController()
        const stop = clock.after(timeoutMs, () => giveUp.abort())
        const cancel = () => giveUp.abort()
        extra.signal.addEventListener('abort', cancel, { once: true })
        try {
          return await extra.sendRequest({ method: to, params: sent } as never, anything, {
            timeout: longest,
            signal: giveUp.signal,
          })
        } finally {
          stop()
          extra.signal.removeEventListener('abort', cancel)
        }
      },
    }
    return answerTo(method, params, context, session, line, extra.signal) as Promise<
      Record<string, unknown>
    >
  }
  // Clients that have gone, and answers that nobody waits for, are no news.
  server.onerror = () => {}
  tap(transport, context, session, choices.framing === 'json' && name === 'http')
  await server.connect(transport)
  return session
}
