import { isUtf8 } from 'node:buffer'
import { isObject, type Json } from '../../engine/index.ts'
import { parseReceivedJson } from '../json.ts'

// How messages are written and read: JSON-RPC, event streams, lines.

/** An id as it is sent. MCP allows strings and integers; null is for checks of invalid messages. */
export type RpcId = string | number | null

/** An error as the server sent it. */
export interface RpcErrorObject {
  code?: unknown
  message?: unknown
  data?: unknown
}

/** The members of a response that the protocol defines, as the server sent them. */
export interface RpcResponse {
  result?: unknown
  error?: RpcErrorObject
}

/** The kind of a message, by its members. `none`: not a JSON-RPC message. */
export type RpcKind = 'request' | 'notification' | 'response' | 'none'

export function kindOfMessage(value: unknown): RpcKind {
  if (!isObject(value)) return 'none'
  if ('method' in value) return 'id' in value ? 'request' : 'notification'
  return 'result' in value || 'error' in value ? 'response' : 'none'
}

/**
 * Codes of violations of the framing. Programs use the code; people read `McpProblem.text`.
 *
 * Messages:
 * - `no-message`: a value is not a JSON-RPC message.
 * - `empty-batch`: an array is empty.
 * - `malformed-message`: a message has a wrong member.
 * - `second-response`, `unknown-id`, `unknown-null-id`, `wrong-id-type`: no request awaits the
 *   response.
 * - `wrong-stream`: a response is on the stream of another request.
 *
 * Streams and bodies that contain the messages:
 * - `line-not-utf8`, `line-not-json`, `line-unfinished`: the output of a subprocess is wrong.
 * - `event-stream-not-utf8`, `event-not-json`, `event-unfinished`, `second-endpoint`: an event
 *   stream is wrong.
 * - `content-type`, `body-not-utf8`, `body-not-json`: the body of an HTTP response is wrong.
 * - `message-in-post-response`, `no-post-response`: the response to the POST of HTTP+SSE contains a
 *   message, or is missing.
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

/**
 * Finds what is wrong with the form of a message (JSON-RPC 2.0 and the schema of MCP). Empty if the
 * message is valid.
 *
 * @see https://www.jsonrpc.org/specification#request_object
 */
export function flawsOf(message: unknown): McpProblem[] {
  if (!isObject(message))
    return [problemOf('no-message', `${shown(message)} is not a JSON-RPC message`)]
  const kind = kindOfMessage(message)
  if (kind === 'none')
    return [problemOf('no-message', `${shown(message)} has neither method nor result nor error`)]
  return flawsOfMembers(message, kind).map((text) => problemOf('malformed-message', text))
}

function flawsOfMembers(message: Json, kind: RpcKind): string[] {
  const flaws: string[] = []
  if (message.jsonrpc !== '2.0')
    flaws.push(`jsonrpc must be "2.0", but is ${shown(message.jsonrpc)}`)
  if (kind !== 'response' && typeof message.method !== 'string')
    flaws.push(`method must be a string, but is ${shown(message.method)}`)
  if (kind !== 'response' && message.params !== undefined && !isObject(message.params))
    flaws.push(`params must be an object, but is ${shown(message.params)}`)
  if (kind === 'request' && !isId(message.id))
    flaws.push(`the id of a request must be a string or an integer, but is ${shown(message.id)}`)
  return [
    ...flaws,
    ...(kind === 'response' ? flawsOfResponse(message) : flawsOfMethod(message.method, kind)),
  ]
}

/** The requests that a server may send to a client. */
const requestsOfServers = ['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create']

/**
 * Finds an id that the method does not allow, or the lack of an id that it requires. MCP defines
 * for each method whether its messages have an id.
 */
function flawsOfMethod(method: unknown, kind: RpcKind): string[] {
  if (typeof method !== 'string') return []
  if (kind === 'request' && method.startsWith('notifications/'))
    return [`the notification ${method} has an id`]
  if (kind === 'notification' && requestsOfServers.includes(method))
    return [`the request ${method} has no id`]
  return []
}

function flawsOfResponse(message: Json): string[] {
  const { id, error } = message
  const flaws: string[] = []
  if ('result' in message && 'error' in message) flaws.push('a response has both result and error')
  if ('result' in message && !isObject(message.result))
    flaws.push(`result must be an object, but is ${shown(message.result)}`)
  // A response must have an id, except an error about a request whose id could not be read.
  if (!isId(id) && !('error' in message && (id === null || id === undefined)))
    flaws.push(`the id of a response must be a string or an integer, but is ${shown(id)}`)
  if ('error' in message && !isObject(error))
    flaws.push(`error must be an object, but is ${shown(error)}`)
  if (isObject(error) && !Number.isInteger(error.code))
    flaws.push(`the code of an error must be an integer, but is ${shown(error.code)}`)
  if (isObject(error) && typeof error.message !== 'string')
    flaws.push(`the message of an error must be a string, but is ${shown(error.message)}`)
  return flaws
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isInteger(id)

/** Formats a value as JSON, up to 120 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/**
 * Parses JSON (RFC 8259; ignores a leading BOM). Returns undefined if the text is not JSON.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-8.1
 */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: parseReceivedJson(text.replace(/^\uFEFF/, '')) }
  } catch {
    return undefined
  }
}

/** A message that is about to be sent. */
export interface OutgoingMessage {
  bytes: Buffer
  text: string
  /** The method; `batch`, `response` or `malformed` if there is none. */
  operation: string
  /** The ids of the responses that are awaited. */
  awaits: RpcId[]
}

/**
 * Encodes a message: strings and bytes as they are, everything else as JSON. For a message that is
 * not JSON-RPC, awaits an error without an id.
 */
export function encodeMessage(message: unknown): OutgoingMessage {
  const bytes =
    message instanceof Uint8Array
      ? Buffer.from(message)
      : Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
  const text = bytes.toString('utf8')
  const json = parseJson(text)
  if (json === undefined) return { bytes, text, operation: 'malformed', awaits: [null] }
  const messages = Array.isArray(json.value) ? (json.value as unknown[]) : [json.value]
  const awaits = messages.flatMap((one) => {
    const kind = kindOfMessage(one)
    if (kind === 'request' && isObject(one)) return [one.id as RpcId]
    return kind === 'none' ? [null] : []
  })
  return {
    bytes,
    text,
    operation: Array.isArray(json.value) ? 'batch' : operationOf(json.value),
    awaits: messages.length === 0 ? [null] : awaits,
  }
}

function operationOf(message: unknown): string {
  const method = isObject(message) ? message.method : undefined
  if (typeof method === 'string' && method !== '') return method
  return kindOfMessage(message) === 'response' ? 'response' : 'malformed'
}

/** Names a message for the progress of a run: `tools/call get_weather`. */
export function purposeOf(operation: string, message: unknown): string {
  const params = isObject(message) ? message.params : undefined
  const name = isObject(params) ? params.name : undefined
  return typeof name === 'string' ? `${operation} ${name}` : operation
}

/** One event of an event stream. */
export interface SseEvent {
  /** `message` by default. */
  readonly type: string
  /** The data lines of the event, joined by line feeds. */
  readonly data: string
  /** The id of this event; undefined if it has none. */
  readonly id: string | undefined
}

const [CR, LF] = [0x0d, 0x0a]

/**
 * Reads an event stream (WHATWG HTML, server-sent events). Lines end with CR, LF or CRLF. Ignores a
 * leading BOM, comments, unknown fields, and events without a data line. Reports invalid UTF-8 and
 * an unfinished event as problems.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseParser {
  /** Milliseconds that the server asks the client to wait before it reconnects. */
  retry: number | undefined
  private readonly event: (event: SseEvent) => void
  private readonly problem: (problem: McpProblem) => void
  private readonly maxBytes: number
  private readonly tooLong: () => void
  private rest: Buffer[] = []
  private data: string[] = []
  /** The bytes of the event that is being received. */
  private size = 0
  private type = ''
  private id: string | undefined
  private first = true
  private afterCr = false

  /** Calls `tooLong` if an event has more than `maxBytes` bytes, and drops what it has of it. */
  constructor(
    event: (event: SseEvent) => void,
    problem: (problem: McpProblem) => void,
    { maxBytes, tooLong }: { maxBytes: number; tooLong: () => void } = {
      maxBytes: Number.POSITIVE_INFINITY,
      tooLong: () => {},
    },
  ) {
    this.event = event
    this.problem = problem
    this.maxBytes = maxBytes
    this.tooLong = tooLong
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (this.afterCr) {
        this.afterCr = false
        if (byte === LF) {
          from = at + 1
          continue
        }
      }
      if (byte !== CR && byte !== LF) continue
      this.afterCr = byte === CR
      if (this.exceeds(at - from)) return
      this.line(Buffer.concat([...this.rest, chunk.subarray(from, at)]))
      this.rest = []
      from = at + 1
    }
    if (this.exceeds(chunk.length - from)) return
    if (from < chunk.length) this.rest.push(chunk.subarray(from))
  }

  /** Counts bytes of the current event. Returns whether it is too long. */
  private exceeds(bytes: number): boolean {
    this.size += bytes
    if (this.size <= this.maxBytes) return false
    this.rest = []
    this.data = []
    this.size = 0
    this.tooLong()
    return true
  }

  /** Ends the stream. An event without a final empty line is dropped, as the standard requires. */
  end(): void {
    if (this.rest.length > 0 || this.data.length > 0)
      this.problem(
        problemOf('event-unfinished', 'the event stream ended in the middle of an event'),
      )
  }

  private line(bytes: Buffer): void {
    if (!isUtf8(bytes))
      this.problem(problemOf('event-stream-not-utf8', 'a line of the event stream is not UTF-8'))
    const text = this.first ? bytes.toString('utf8').replace(/^\uFEFF/, '') : bytes.toString('utf8')
    this.first = false
    if (text === '') return this.dispatch()
    const colon = text.indexOf(':')
    if (colon === 0) return
    const name = colon === -1 ? text : text.slice(0, colon)
    this.field(name, colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, ''))
  }

  private field(name: string, value: string): void {
    if (name === 'data') this.data.push(value)
    else if (name === 'event') this.type = value
    else if (name === 'id' && !value.includes('\0')) this.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value)
  }

  private dispatch(): void {
    const { data, type, id } = this
    this.data = []
    this.size = 0
    this.type = ''
    this.id = undefined
    if (data.length > 0)
      this.event({ type: type === '' ? 'message' : type, data: data.join('\n'), id })
  }
}

/** Splits a stream of bytes into lines that end with a line feed. */
export class LineParser {
  private readonly line: (line: Buffer) => void
  private readonly tooLong: () => void
  private readonly maxBytes: number
  private rest: Buffer[] = []
  private size = 0

  constructor(maxBytes: number, line: (line: Buffer) => void, tooLong: () => void) {
    this.maxBytes = maxBytes
    this.line = line
    this.tooLong = tooLong
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.line(Buffer.concat([...this.take(), chunk.subarray(from, at)]))
      from = at + 1
    }
    if (from === chunk.length) return
    this.rest.push(chunk.subarray(from))
    this.size += chunk.length - from
    if (this.size > this.maxBytes) {
      this.take()
      this.tooLong()
    }
  }

  /** Removes and returns the bytes after the last line feed. */
  take(): Buffer[] {
    const { rest } = this
    this.rest = []
    this.size = 0
    return rest
  }
}
