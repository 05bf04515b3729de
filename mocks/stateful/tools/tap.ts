import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ToolsContext, ToolsSession, TransportName } from './call.ts'
import { isRequest, isResponse, type JsonRpc } from './protocol.ts'

/** Begins the ids of the server's own requests, where they are texts. */
const textual = 'shelf-'

/** Puts the place `message`, and what was chosen of messages, in front of what a transport sends. */
export function tap(
  transport: Transport,
  context: ToolsContext,
  session: ToolsSession,
  isJson: boolean,
): void {
  const {
    places: { message: change },
    choices: { requestIds },
  } = context
  if (change === undefined && !isJson && requestIds === 'number') return
  const send = transport.send.bind(transport)
  transport.send = async (given, options) => {
    const message = given as JsonRpc
    const sent =
      requestIds === 'text' && isRequest(message)
        ? { ...message, id: `${textual}${String(message['id'])}` }
        : message
    const shown =
      change === undefined
        ? sent
        : change('out', sent, { transport: session.transport, session: session.id })
    const out: readonly JsonRpc[] =
      shown === undefined ? [] : Array.isArray(shown) ? shown : [shown]
    if (!isResponse(message)) {
      for (const one of out) await send(carried(message, one), isJson ? undefined : options)
      return
    }
    // The SDK ends the stream of a request with its response: that is whatever goes out last.
    for (const one of out.slice(0, -1))
      await send(carried(aside, one), { relatedRequestId: message['id'] } as TransportSendOptions)
    const last = out.at(-1)
    if (last !== undefined) await send(carried(message, last), options)
  }
}

const aside: JsonRpc = { jsonrpc: '2.0', method: 'notifications/aside' }

/** A message that the SDK takes for `as`, and writes as `out`. */
function carried(as: JsonRpc, out: JsonRpc): JSONRPCMessage {
  if (as === out) return as as unknown as JSONRPCMessage
  return Object.defineProperty({ ...as }, 'toJSON', {
    value: () => out,
  }) as unknown as JSONRPCMessage
}

/** Messages on their way in, as the place `message` leaves them. */
export function takenIn(
  given: readonly JsonRpc[],
  context: ToolsContext,
  transport: TransportName,
  session: string | undefined,
): JsonRpc[] {
  const {
    places: { message: change },
    choices: { requestIds },
  } = context
  const read = requestIds === 'text' ? given.map(numbered) : given
  if (change === undefined) return [...read]
  return read.flatMap((message): JsonRpc[] => {
    const shown = change('in', message, { transport, session }) ?? []
    return Array.isArray(shown) ? shown : [shown]
  })
}

/** An answer to one of the server's own requests, with the number that the SDK gave it. */
function numbered(message: JsonRpc): JsonRpc {
  const { id } = message
  return isResponse(message) && typeof id === 'string' && id.startsWith(textual)
    ? { ...message, id: Number(id.slice(textual.length)) }
    : message
}
