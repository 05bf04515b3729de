import { isObject } from '../../engine/index.ts'
import { kindOfMessage, parsed, type RpcId } from './jsonrpc.ts'

/** What is about to go out: its bytes, the same as text, what it is called, and the ids with which responses are awaited. */
export interface Outgoing {
  bytes: Buffer
  text: string
  operation: string
  awaits: RpcId[]
}

/** Text and bytes as they are, everything else as JSON. A request without an id that JSON can hold is one of an error without an id. */
export function outgoingOf(message: unknown): Outgoing {
  const bytes =
    message instanceof Uint8Array
      ? Buffer.from(message)
      : Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
  const text = bytes.toString('utf8')
  const json = parsed(text)
  if (json === undefined) return { bytes, text, operation: 'malformed', awaits: [null] }
  const messages = Array.isArray(json.value) ? (json.value as unknown[]) : [json.value]
  const kinds = messages.map(kindOfMessage)
  const awaits = messages.flatMap((one, index) =>
    kinds[index] === 'request' && isObject(one)
      ? [one.id as RpcId]
      : kinds[index] === 'none'
        ? [null]
        : [],
  )
  return {
    bytes,
    text,
    operation: Array.isArray(json.value) ? 'batch' : nameOf(json.value),
    awaits: messages.length === 0 ? [null] : awaits,
  }
}

function nameOf(message: unknown): string {
  const method = isObject(message) ? message.method : undefined
  return typeof method === 'string' && method !== ''
    ? method
    : kindOfMessage(message) === 'response'
      ? 'response'
      : 'malformed'
}
