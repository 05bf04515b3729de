import { isObject } from '../../../engine/index.ts'

import type { McpExchange } from '../../../wire/index.ts'

/**
 * The kind of the JSON-RPC message in a POST of streamable HTTP. Only a `request` needs a response.
 * A JSON-RPC response from the client counts as a `notification`. `none`: not a POST with a single
 * JSON-RPC message.
 */
export function kindOfPost({
  transport,
  sent,
}: Pick<McpExchange, 'transport' | 'sent'>): 'request' | 'notification' | 'none' {
  if (transport !== 'http' || sent.method !== 'POST') return 'none'
  const message = parsed(sent)
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return 'none'
  if (typeof message['method'] === 'string') return 'id' in message ? 'request' : 'notification'
  return 'result' in message || 'error' in message ? 'notification' : 'none'
}

/** Whether the exchange is a POST of streamable HTTP that sent a request. */
export const isRequestPost = (exchange: Pick<McpExchange, 'transport' | 'sent'>): boolean =>
  kindOfPost(exchange) === 'request'

/** The method of a JSON-RPC message; undefined if it has none, or is not a JSON-RPC message. */
export function methodOf({ sent }: Pick<McpExchange, 'sent'>): string | undefined {
  const message = parsed(sent)
  return isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string'
    ? message['method']
    : undefined
}

/** Caches parsed messages, because several watching checks examine each message. */
const parsedMessages = new WeakMap<McpExchange['sent'], unknown>()

/** The parsed message; undefined if it is not JSON. */
function parsed(sent: McpExchange['sent']): unknown {
  if (!parsedMessages.has(sent)) parsedMessages.set(sent, parseJson(sent.text))
  return parsedMessages.get(sent)
}

function parseJson(content: string | undefined): unknown {
  try {
    return content === undefined ? undefined : JSON.parse(content)
  } catch {
    return undefined
  }
}
