import { isObject } from '../../../engine/index.ts'

import type { McpExchange } from '../../../wire/index.ts'

/** What a POST of streamable HTTP has in its body: something that wants an answer, something that wants none, or neither. */
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

/** The method that a message of JSON-RPC names; undefined where it names none, or is no such message. */
export function methodOf({ sent }: Pick<McpExchange, 'sent'>): string | undefined {
  const message = parsed(sent)
  return isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string'
    ? message['method']
    : undefined
}

/** By what was sent: several watching checks ask about each message. */
const parsedMessages = new WeakMap<McpExchange['sent'], unknown>()

/** What was sent, parsed; undefined where it is no JSON. */
function parsed(sent: McpExchange['sent']): unknown {
  if (!parsedMessages.has(sent)) parsedMessages.set(sent, jsonOf(sent.text))
  return parsedMessages.get(sent)
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
