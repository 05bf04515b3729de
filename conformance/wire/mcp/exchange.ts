import type { ExchangeRecord, Message } from '../../engine/index.ts'
import { isObject, kindOfMessage, shown, type Json, type RpcError, type RpcId, type RpcKind, type RpcResponse } from './jsonrpc.ts'
import type { McpTransport } from './places.ts'
import { recordOf } from './record.ts'

/**
 * Why what was sent has no response: `unreachable` there is no connection; `closed` it ended before a response; `silent` nothing came in time, `unfinished`
 * something came and no end; `flood` more bytes came than are read; `status`, `redirect` the HTTP status is none of success; `unanswered` a complete answer
 * has no response in it. Where none is awaited (notifications, bare HTTP requests), only the first five.
 */
export type McpFailure = 'unreachable' | 'closed' | 'silent' | 'unfinished' | 'flood' | 'status' | 'redirect' | 'unanswered'

/** On what a message came: the body of an answer to POST, the stream of a GET (of either HTTP transport), standard output. */
export type McpStream = 'post' | 'get' | 'stdout'

/** A message that came. */
export interface McpReceived {
  readonly kind: RpcKind
  /** As it was parsed, whatever it is. */
  readonly message: unknown
  /** Its own members where it is an object: empty otherwise. */
  readonly json: Json
  readonly stream: McpStream
  /** Number of the exchange on whose stream it came; of standard output there is none. */
  readonly exchange?: number | undefined
  /** Milliseconds since the epoch, by the door's clock. */
  readonly at: number
  /** Place in the order in which messages came on the connection, from 1. */
  readonly order: number
  /** Id of the event in which it came. */
  readonly eventId?: string | undefined
  /** Whether it stood in an array. */
  readonly batch: boolean
}

/** How what was sent went out. */
export interface McpSent {
  /** `POST`, `GET` …; `stdio` for a line to a subprocess. */
  readonly method: string
  /** URL, or the command line of the subprocess with the variables that it is given. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What was sent, as text; undefined for a request without a body. */
  readonly text: string | undefined
}

/** One thing sent, and what came of it. Its members change until `ended`, beyond the time at which the exchange is given to who asked. */
export class McpExchange implements Message {
  readonly number: number
  /** The contract's name for what is asked: the method where nothing else was given. */
  readonly operation: string
  readonly transport: McpTransport
  readonly sent: McpSent
  /** The id that was sent; undefined where there was none. */
  readonly id: RpcId | undefined
  readonly startedAt: number
  readonly redact: (text: string) => string
  /** What came back as HTTP; over HTTP+SSE that is the answer to the POST. Undefined where nothing did, and for stdio. */
  httpStatus: number | undefined
  /** With names in lower case; values of a name that came twice are joined by a comma. */
  headers: Readonly<Record<string, string>> = {}
  /** All of them, as they came. */
  rawHeaders: readonly [string, string][] = []
  /** The body of the HTTP answer; the line, or the data of the event, that is the response where no such body has it. */
  text = ''
  /** Every response that came to what was sent: one, unless a batch was sent or the server errs. */
  readonly responses: McpReceived[] = []
  /** What else came between the request and its response on the connection, and on the exchange's own stream also after it: see `order` and `at`. */
  readonly notifications: McpReceived[] = []
  /** Requests of the server, in the same way. */
  readonly requests: McpReceived[] = []
  /** A response that came after the exchange was given up. */
  late: McpReceived | undefined
  /** What breaks the framing: no JSON-RPC message, noise, ids that nobody asked with, a wrong content type. As facts, in words. */
  readonly problems: string[] = []
  failure: McpFailure | undefined
  /** The same in words. */
  why: string | undefined
  /** When the response came or the exchange was given up. */
  endedAt: number | undefined
  /** Bytes of the HTTP body, of the line, or of the event. */
  receivedBytes = 0
  receivedCount = 0
  /** Resolves when nothing more can come on the exchange's own stream; for stdio with the exchange itself. */
  readonly ended: Promise<void>
  /** Says that nothing more comes: for the carriers. */
  readonly markEnded: () => void

  constructor(given: Pick<McpExchange, 'number' | 'operation' | 'transport' | 'sent' | 'id' | 'startedAt' | 'redact'>) {
    this.number = given.number
    this.operation = given.operation
    this.transport = given.transport
    this.sent = given.sent
    this.id = given.id
    this.startedAt = given.startedAt
    this.redact = given.redact
    let end = () => {}
    this.ended = new Promise((resolve) => (end = resolve))
    this.markEnded = end
  }

  /** An exchange with a result is a success: the proof finds by it who reads what a mutant changes. */
  get kind(): string {
    return `${this.operation} ${this.response?.result === undefined ? 'failure' : 'success'}`
  }

  /** The first response that came in time: what the server sent in `result` and `error`. */
  get response(): RpcResponse | undefined {
    const json = this.answer?.json
    if (json === undefined) return undefined
    return { ...('result' in json ? { result: json.result } : {}), ...('error' in json ? { error: errorOf(json.error) } : {}) }
  }

  /** The message of the first response, with time and order. */
  get answer(): McpReceived | undefined {
    return this.responses[0]
  }

  /** The result where it is an object; undefined otherwise. */
  get result(): Json | undefined {
    const result = this.response?.result
    return isObject(result) ? result : undefined
  }

  /** The error of the response. */
  get error(): RpcError | undefined {
    return this.response?.error
  }

  get milliseconds(): number {
    return Math.round((this.answer?.at ?? this.endedAt ?? this.startedAt) - this.startedAt)
  }

  /** The media type of the HTTP answer, in lower case and without parameters. */
  get contentType(): string | undefined {
    return this.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  }

  header(name: string): string | undefined {
    return this.headers[name.toLowerCase()]
  }

  /** Status, and the beginning of the response or why there is none, in one line. */
  get summary(): string {
    const status = this.httpStatus === undefined ? '' : `HTTP ${this.httpStatus}, `
    return this.redact(`${status}${this.outcome}${this.problems.length === 0 ? '' : `; ${this.problems[0]}`}`)
  }

  private get outcome(): string {
    const { response } = this
    if (response?.error !== undefined) return `error ${response.error.code} «${cut(String(response.error.message))}»`
    if (response !== undefined) return `result ${cut(JSON.stringify(response.result))}`
    if (this.endedAt === undefined) return 'still open'
    if (this.failure !== undefined) return `no response: ${this.why ?? this.failure}`
    return this.text === '' ? 'no body' : cut(this.text.replace(/\s+/g, ' '))
  }

  record(): ExchangeRecord {
    return recordOf(this)
  }
}

const cut = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

/** An error as it came, where it is one at all; else what came stands in its message. */
function errorOf(error: unknown): RpcError {
  return isObject(error) ? (error as unknown as RpcError) : { code: Number.NaN, message: shown(error) }
}

/** Makes what is kept of a message. */
export function receivedOf(message: unknown, given: Omit<McpReceived, 'kind' | 'message' | 'json'>): McpReceived {
  return { kind: kindOfMessage(message), message, json: isObject(message) ? message : {}, ...given }
}
