import { isObject } from '../../engine/index.ts'
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

export function kindOfMessage(value: unknown): RpcKind {
  if (!isObject(value)) return 'none'
  if ('method' in value) return 'id' in value ? 'request' : 'notification'
  return 'result' in value || 'error' in value ? 'response' : 'none'
}

/**
 * What breaks the framing. Code reads the code, people read the text:
 *
 * - `no-message` what came is not a JSON-RPC message at all, `empty-batch` an array without one, `malformed-message` a message with a wrong member;
 * - `second-response`, `unknown-id`, `unknown-null-id`, `wrong-id-type` a response that no request was waiting for, `wrong-stream` one on another's stream;
 * - `line-not-utf8`, `line-not-json`, `line-unfinished` the output of a subprocess;
 * - `event-stream-not-utf8`, `event-not-json`, `event-unfinished`, `second-endpoint` an event stream;
 * - `content-type`, `body-not-utf8`, `body-not-json` the body of an HTTP response;
 * - `message-in-post-response`, `no-post-response` the response to the POST of HTTP+SSE.
 */
export type McpProblemCode =
  | 'no-message'
  | 'empty-batch'
  | 'malformed-message'
  | 'second-response'
  | 'unknown-id'
  | 'unknown-null-id'
  | 'wrong-id-type'
  | 'wrong-stream'
  | 'line-not-utf8'
  | 'line-not-json'
  | 'line-unfinished'
  | 'event-stream-not-utf8'
  | 'event-not-json'
  | 'event-unfinished'
  | 'second-endpoint'
  | 'content-type'
  | 'body-not-utf8'
  | 'body-not-json'
  | 'message-in-post-response'
  | 'no-post-response'

export interface McpProblem {
  readonly code: McpProblemCode
  readonly text: string
}

export const problemOf = (code: McpProblemCode, text: string): McpProblem => ({ code, text })

/** What is wrong with the form of a message (JSON-RPC 2.0 and MCP's own schema of it), one problem for each thing; none where it is right. */
export function flawsOf(message: unknown): McpProblem[] {
  if (!isObject(message))
    return [problemOf('no-message', `${shown(message)} is no JSON-RPC message`)]
  const kind = kindOfMessage(message)
  if (kind === 'none')
    return [problemOf('no-message', `${shown(message)} has neither method nor result nor error`)]
  return flawsOfMembers(message, kind).map((text) => problemOf('malformed-message', text))
}

function flawsOfMembers(message: Json, kind: RpcKind): string[] {
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
