/** An id as it is sent. MCP allows texts and integers; others are for checks that send what is wrong. */
export type RpcId = string | number | null

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** A response: the one or the other, as the server sent it. Members that are no part of the protocol are not here, but in the message itself. */
export interface RpcResponse {
  result?: unknown
  error?: RpcError
}

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** What a message is, by the members it has. `none`: no message of JSON-RPC. */
export type RpcKind = 'request' | 'notification' | 'response' | 'none'

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function kindOfMessage(value: unknown): RpcKind {
  if (!isObject(value)) return 'none'
  if ('method' in value) return 'id' in value ? 'request' : 'notification'
  return 'result' in value || 'error' in value ? 'response' : 'none'
}

/** What is wrong with the form of a message (JSON-RPC 2.0 and MCP's own schema of it), one text for each thing; none where it is right. */
export function flawsOf(message: unknown): string[] {
  if (!isObject(message)) return [`${shown(message)} is no JSON-RPC message`]
  const kind = kindOfMessage(message)
  if (kind === 'none') return [`${shown(message)} has neither method nor result nor error`]
  const flaws: string[] = []
  if (message.jsonrpc !== '2.0') flaws.push(`jsonrpc is ${shown(message.jsonrpc)} and not "2.0"`)
  if (kind !== 'response' && typeof message.method !== 'string')
    flaws.push(`method is ${shown(message.method)} and no text`)
  if (kind !== 'response' && message.params !== undefined && !isObject(message.params))
    flaws.push(`params is ${shown(message.params)} and no object`)
  if (kind === 'request' && !isId(message.id))
    flaws.push(`a request has the id ${shown(message.id)}`)
  return kind === 'response' ? [...flaws, ...flawsOfResponse(message)] : flaws
}

function flawsOfResponse(message: Json): string[] {
  const { id, error } = message
  const flaws: string[] = []
  if ('result' in message && 'error' in message) flaws.push('a response has both result and error')
  if ('result' in message && !isObject(message.result))
    flaws.push(`result is ${shown(message.result)} and no object`)
  // An error may come without an id, or with null, where the id of the request could not be read.
  if (!isId(id) && !('error' in message && (id === null || id === undefined)))
    flaws.push(`a response has the id ${shown(id)}`)
  if ('error' in message && !isObject(error)) flaws.push(`error is ${shown(error)} and no object`)
  if (isObject(error) && !Number.isInteger(error.code))
    flaws.push(`the code of an error is ${shown(error.code)} and no integer`)
  if (isObject(error) && typeof error.message !== 'string')
    flaws.push(`the message of an error is ${shown(error.message)} and no text`)
  return flaws
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isInteger(id)

/** A value as JSON, cut for one line. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** Parses JSON (RFC 8259: a BOM at the beginning is passed over). Gives undefined where the text is none. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown }
  } catch {
    return undefined
  }
}
