import { isObject } from '../../engine/index.ts'
import type { ExchangeRecord, Message } from '../../engine/index.ts'
import {
  shown,
  type Json,
  type McpProblem,
  type RpcError,
  type RpcId,
  type RpcResponse,
} from './jsonrpc.ts'
import type { McpTransport } from './places.ts'
import type { McpFailure, McpReceived, McpSent } from './received.ts'
import { recordOf } from './record.ts'

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
  /** What breaks the framing: no JSON-RPC message, noise, ids that nobody asked with, a wrong content type. */
  readonly problems: McpProblem[] = []
  failure: McpFailure | undefined
  /** The same in words. */
  why: string | undefined
  /** What `why` contains already, so that a summary does not repeat it: the HTTP status, the first problem. */
  whyNames: readonly ('status' | 'problem')[] = []
  /** When the response came or the exchange was given up. */
  endedAt: number | undefined
  /** Bytes of the HTTP body, of the line, or of the event. */
  receivedBytes = 0
  receivedCount = 0
  /** Resolves when nothing more can come on the exchange's own stream; for stdio with the exchange itself. */
  readonly ended: Promise<void>
  /** Says that nothing more comes: for the carriers. */
  readonly markEnded: () => void

  constructor(
    given: Pick<
      McpExchange,
      'number' | 'operation' | 'transport' | 'sent' | 'id' | 'startedAt' | 'redact'
    >,
  ) {
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
  get isTimedOut(): boolean {
    return this.failure === 'silent' || this.failure === 'unfinished'
  }

  get kind(): string {
    return `${this.operation} ${this.response?.result === undefined ? 'failure' : 'success'}`
  }

  /** The first response that came in time: what the server sent in `result` and `error`. */
  get response(): RpcResponse | undefined {
    const json = this.answer?.json
    if (json === undefined) return undefined
    return {
      ...('result' in json ? { result: json.result } : {}),
      ...('error' in json ? { error: errorOf(json.error) } : {}),
    }
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
    const {
      outcome,
      whyNames,
      httpStatus,
      problems: [problem],
    } = this
    const status =
      httpStatus === undefined || whyNames.includes('status') ? '' : `HTTP ${httpStatus}, `
    const more = problem === undefined || whyNames.includes('problem') ? '' : `; ${problem.text}`
    return this.redact(`${status}${outcome}${more}`)
  }

  private get outcome(): string {
    const { response } = this
    if (response?.error !== undefined)
      return `error ${response.error.code} «${cut(String(response.error.message))}»`
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
  return isObject(error)
    ? (error as unknown as RpcError)
    : { code: Number.NaN, message: shown(error) }
}

export {
  receivedOf,
  type McpFailure,
  type McpReceived,
  type McpSent,
  type McpStream,
} from './received.ts'
