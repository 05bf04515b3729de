import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ToolsContext, ToolsSession, TransportName } from './call.ts'
import { isRequest, isResponse, type JsonRpc } from './protocol.ts'

/** The prefix of the server's request ids if they are strings. */
const idPrefix = 'shelf-'

/**
 * Changes everything that a transport sends: applies the function `message` of the server's
 * deviation (a fault or a variation), and gives requests the kind of id that `requestIds` names.
 * `respondsWithJson` is true if responses are JSON and not event streams.
 */
export function interceptMessages(
  transport: Transport,
  context: ToolsContext,
  session: ToolsSession,
  respondsWithJson: boolean,
): void {
  const {
    deviations: { message: change },
    choices: { requestIds },
  } = context
  if (change === undefined && !respondsWithJson && requestIds === 'number') return
  const send = transport.send.bind(transport)
  transport.send = async (original, options) => {
    const message = original as JsonRpc
    const sent =
      requestIds === 'text' && isRequest(message)
        ? { ...message, id: `${idPrefix}${String(message['id'])}` }
        : message
    const changed =
      change === undefined
        ? sent
        : change('out', sent, { transport: session.transport, session: session.id })
    const out: readonly JsonRpc[] =
      changed === undefined ? [] : Array.isArray(changed) ? changed : [changed]
    if (!isResponse(message)) {
      for (const one of out)
        await send(serialiseAs(message, one), respondsWithJson ? undefined : options)
      return
    }
    // The SDK ends the stream of a request after the response. So if `change` returned several
    // messages for a response, the last one is sent as the response. The others are sent first, as
    // notifications.
    for (const one of out.slice(0, -1))
      await send(serialiseAs(extraNotification, one), {
        relatedRequestId: message['id'],
      } as TransportSendOptions)
    const last = out.at(-1)
    if (last !== undefined) await send(serialiseAs(message, last), options)
  }
}

const extraNotification: JsonRpc = { jsonrpc: '2.0', method: 'notifications/aside' }

/** A message that the SDK treats like `carrier`, but serialises as `out`. */
function serialiseAs(carrier: JsonRpc, out: JsonRpc): JSONRPCMessage {
  if (carrier === out) return carrier as unknown as JSONRPCMessage
  return Object.defineProperty({ ...carrier }, 'toJSON', {
    value: () => out,
  }) as unknown as JSONRPCMessage
}

/**
 * Returns received messages after the function `message` of the server's deviation has changed
 * them. Restores the ids of the SDK first, because it does not know those of `requestIds`.
 */
export function receiveMessages(
  received: readonly JsonRpc[],
  context: ToolsContext,
  transport: TransportName,
  session: string | undefined,
): JsonRpc[] {
  const {
    deviations: { message: change },
    choices: { requestIds },
  } = context
  const read = requestIds === 'text' ? received.map(restoreId) : received
  if (change === undefined) return [...read]
  return read.flatMap((message): JsonRpc[] => {
    const changed = change('in', message, { transport, session }) ?? []
    return Array.isArray(changed) ? changed : [changed]
  })
}

/** Restores the numeric id of the SDK in a response to one of the server's requests. */
function restoreId(message: JsonRpc): JsonRpc {
  const { id } = message
  return isResponse(message) && typeof id === 'string' && id.startsWith(idPrefix)
    ? { ...message, id: Number(id.slice(idPrefix.length)) }
    : message
}
