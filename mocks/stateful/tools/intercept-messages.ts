import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ToolsContext, ToolsSession, TransportName } from './call.ts'
import { isRequest, isResponse, type JsonRpc } from './protocol.ts'

/** The prefix of the server's request ids if they are strings. */
const idPrefix = 'shelf-'

/**
 * Applies the deviation `message` and the choices about messages to everything that a transport
 * sends.
 */
export function interceptMessages(
  transport: Transport,
  context: ToolsContext,
  session: ToolsSession,
  isJson: boolean,
): void {
  const {
    deviations: { message: change },
    choices: { requestIds },
  } = context
  if (change === undefined && !isJson && requestIds === 'number') return
  const send = transport.send.bind(transport)
  transport.send = async (given, options) => {
    const message = given as JsonRpc
    const sent =
      requestIds === 'text' && isRequest(message)
        ? { ...message, id: `${idPrefix}${String(message['id'])}` }
        : message
    const shown =
      change === undefined
        ? sent
        : change('out', sent, { transport: session.transport, session: session.id })
    const out: readonly JsonRpc[] =
      shown === undefined ? [] : Array.isArray(shown) ? shown : [shown]
    if (!isResponse(message)) {
      for (const one of out) await send(disguise(message, one), isJson ? undefined : options)
      return
    }
    // The SDK ends the stream of a request after its response, so the last message is sent as the
    // response.
    for (const one of out.slice(0, -1))
      await send(disguise(aside, one), { relatedRequestId: message['id'] } as TransportSendOptions)
    const last = out.at(-1)
    if (last !== undefined) await send(disguise(message, last), options)
  }
}

const aside: JsonRpc = { jsonrpc: '2.0', method: 'notifications/aside' }

/** A message that the SDK treats as `as`, and serialises as `out`. */
function disguise(as: JsonRpc, out: JsonRpc): JSONRPCMessage {
  if (as === out) return as as unknown as JSONRPCMessage
  return Object.defineProperty({ ...as }, 'toJSON', {
    value: () => out,
  }) as unknown as JSONRPCMessage
}

/** Applies the deviation `message` to received messages. */
export function receiveMessages(
  given: readonly JsonRpc[],
  context: ToolsContext,
  transport: TransportName,
  session: string | undefined,
): JsonRpc[] {
  const {
    deviations: { message: change },
    choices: { requestIds },
  } = context
  const read = requestIds === 'text' ? given.map(restoreId) : given
  if (change === undefined) return [...read]
  return read.flatMap((message): JsonRpc[] => {
    const shown = change('in', message, { transport, session }) ?? []
    return Array.isArray(shown) ? shown : [shown]
  })
}

/** Restores the numeric id of the SDK in a response to one of the server's requests. */
function restoreId(message: JsonRpc): JsonRpc {
  const { id } = message
  return isResponse(message) && typeof id === 'string' && id.startsWith(idPrefix)
    ? { ...message, id: Number(id.slice(idPrefix.length)) }
    : message
}
