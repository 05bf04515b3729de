import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js'
import { z } from 'zod'
import { userOf } from './auth/guard.ts'
import type { ToolsContext, ToolsSession, TransportName } from './call.ts'
import { handleRequest, capabilitiesOf } from './methods.ts'
import type { CallChannel } from './client-messages.ts'
import { interceptMessages } from './intercept-messages.ts'

/** The longest timer that Node supports. It keeps the SDK's own timeout from ending a request. */
const maxTimeoutMs = 2 ** 31 - 1
const anything = z.looseObject({})

/**
 * A validator that accepts everything. By default, the SDK makes a JSON Schema validator for each
 * server. None is needed, because the tools check the responses of clients themselves.
 */
const jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
}

/**
 * Connects an SDK server to a transport, for one client. The SDK correlates, cancels and numbers
 * requests; every response comes from this server's handlers.
 */
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
    openStreams: name === 'http' ? 0 : 1,
    close: () => server.close(),
  }
  // Removes the SDK's own handlers, because deviations could not change their responses.
  for (const method of ['initialize', 'ping', 'logging/setLevel'])
    server.removeRequestHandler(method)
  server.fallbackRequestHandler = ({ method, params }, extra) => {
    const channel: CallChannel = {
      meta: params?._meta,
      user: userOf(extra.authInfo),
      notify: (to, sent) => extra.sendNotification({ method: to, params: sent } as never),
      notifySession: (to, sent) => server.notification({ method: to, params: sent } as never),
      async request(to, sent, timeoutMs) {
        const cancellation = new AbortController()
        const stop = clock.after(timeoutMs, () => cancellation.abort())
        const cancel = () => cancellation.abort()
        extra.signal.addEventListener('abort', cancel, { once: true })
        try {
          return await extra.sendRequest({ method: to, params: sent } as never, anything, {
            timeout: maxTimeoutMs,
            signal: cancellation.signal,
          })
        } finally {
          stop()
          extra.signal.removeEventListener('abort', cancel)
        }
      },
    }
    return handleRequest(context, {
      method,
      rawParams: params,
      session,
      channel,
      signal: extra.signal,
    }) as Promise<Record<string, unknown>>
  }
  // Errors about disconnected clients and unexpected responses are ignored.
  server.onerror = () => {}
  interceptMessages(transport, context, session, choices.framing === 'json' && name === 'http')
  await server.connect(transport)
  return session
}
