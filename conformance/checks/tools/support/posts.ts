import { isObject } from '../../../engine/index.ts'

import type { McpExchange } from '../../../wire/index.ts'

/** What a POST of streamable HTTP has in its body: something that wants an answer, something that wants none, or neither. */
export function kindOfPost({
  transport,
  sent: { method, text },
}: Pick<McpExchange, 'transport' | 'sent'>): 'request' | 'notification' | 'none' {
  if (transport !== 'http' || method !== 'POST' || text === undefined) return 'none'
  const message = parsed(text)
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return 'none'
  if (typeof message['method'] === 'string') return 'id' in message ? 'request' : 'notification'
  return 'result' in message || 'error' in message ? 'notification' : 'none'
}

/** The method that a message of JSON-RPC names; undefined where it names none, or is no such message. */
export function methodOf({ sent: { text } }: Pick<McpExchange, 'sent'>): string | undefined {
  const message = text === undefined ? undefined : parsed(text)
  return isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string'
    ? message['method']
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
