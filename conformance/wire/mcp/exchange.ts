import { missingResponse } from '../missing-response.ts'
import type { Redactor } from '../secrets.ts'
import {
  isObject,
  shorten,
  type ExchangeRecord,
  type Json,
  type Message,
} from '../../engine/index.ts'
import { formatCurl, type CommandLine } from '../curl.ts'
import { quoteForShell } from '../shell.ts'
import { maxHeaderCharacters } from '../shown-body.ts'
import {
  shown,
  type McpProblem,
  type RpcErrorObject,
  type RpcId,
  type RpcKind,
  type RpcResponse,
} from './framing.ts'

/**
 * How messages are sent: over streamable HTTP, over HTTP+SSE (2024-11-05), or as lines to and from
 * a subprocess.
 */
export type McpTransport = 'http' | 'sse' | 'stdio'

/**
 * Why there is no response:
 *
 * - `unreachable`: there is no connection.
 * - `closed`: the connection ended before the response.
 * - `silent`: nothing was received in time.
 * - `unfinished`: something was received in time, but not the end of the response.
 * - `flood`: the response is longer than the limit of the client.
 * - `status`, `redirect`: the HTTP status is not 2xx.
 * - `unanswered`: a complete HTTP response contains no JSON-RPC response.
 *
 * Notifications and requests of `McpClient.http` await no response, so only the first five reasons
 * apply to them.
 */
export type McpFailure =
  | 'unreachable'
  | 'closed'
  | 'silent'
  | 'unfinished'
  | 'flood'
  | 'status'
  | 'redirect'
  | 'unanswered'

/**
 * Where a message was received: in the response to a POST, on the stream of a GET, or on standard
 * output.
 */
export type McpStream = 'post' | 'get' | 'stdout'

/** A message that was received. */
export interface McpReceived {
  readonly kind: RpcKind
  /** The parsed JSON value, which may be of any type. */
  readonly message: unknown
  /** The message if it is an object, otherwise an empty object. */
  readonly json: Json
  readonly stream: McpStream
  /** Number of the exchange to which the stream belongs; undefined for standard output. */
  readonly exchange?: number | undefined
  /** Milliseconds since the epoch, by the client's clock. */
  readonly at: number
  /** Position among all messages received on the connection, counted from 1. */
  readonly order: number
  /** Id of the event that contained the message. */
  readonly eventId?: string | undefined
  /** Whether the message was an element of an array. */
  readonly batch: boolean
}

/** How a message was sent. */
export interface McpSent {
  /** `POST`, `GET` …; `stdio` for a line to a subprocess. */
  readonly method: string
  /** The URL, or the command line of the subprocess with its environment variables. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What was sent, as text; undefined for a request without a body. */
  readonly text: string | undefined
}

/** Maximum number of characters of a request or response in a record. */
const keptInRecord = 64 * 1024

/**
 * One message that was sent, and everything that was received because of it. A check gets the
 * exchange when the response was received. Messages may still be added until `ended` resolves.
 */
export class McpExchange implements Message {
  readonly number: number
  /** The contract's name of the operation: the method by default. */
  readonly operation: string
  readonly transport: McpTransport
  readonly sent: McpSent
  /** The id that was sent, if any. */
  readonly id: RpcId | undefined
  readonly startedAt: number
  readonly redact: Redactor
  /**
   * Status of the HTTP response; over HTTP+SSE, of the response to the POST. Undefined without an
   * HTTP response, and over stdio.
   */
  httpStatus: number | undefined
  /** With names in lower case. The values of a repeated header are joined by a comma. */
  headers: Readonly<Record<string, string>> = {}
  /** All headers, as received. */
  rawHeaders: readonly [string, string][] = []
  /** The body of the HTTP response. Without HTTP, the line or the event data with the response. */
  text = ''
  /** Every response to the message: more than one for a batch, or if the server responds twice. */
  readonly responses: McpReceived[] = []
  /**
   * Notifications that were received between the request and its response. Those on the exchange's
   * own stream include later ones; `order` and `at` show when each was received.
   */
  readonly notifications: McpReceived[] = []
  /** Requests of the server that were received in the same period as `notifications`. */
  readonly requests: McpReceived[] = []
  /** A response that was received after the exchange was given up. */
  late: McpReceived | undefined
  /** Violations of the framing, such as invalid JSON-RPC, unknown ids or a wrong content type. */
  readonly problems: McpProblem[] = []
  failure: McpFailure | undefined
  /** The failure as a sentence for people. */
  why: string | undefined
  /** The parts that the summary must not repeat, because `why` already contains them. */
  whyNames: readonly ('status' | 'problem')[] = []
  /**
   * If the message got no response, another message may be the cause: messages of the connection
   * without a result, in the order in which they were sent, together with this message.
   */
  possibleCauses: readonly Pick<McpExchange, 'operation' | 'sent'>[] = []
  /**
   * If the message got no response in time: an earlier call of a tool that timed out, if the server
   * has responded to nothing on the connection since. A server that handles one message at a time
   * then hangs in that call, and has not read this message.
   */
  heldUpBy: McpExchange | undefined
  /**
   * Whether the connection closed while this and other messages had no response: each of them may
   * have ended the process.
   */
  isClosedWithOthers = false
  /** When the response was received, or the exchange was given up. */
  endedAt: number | undefined
  /** Bytes of the HTTP body, of the line, or of the event. */
  receivedBytes = 0
  receivedCount = 0
  /** Resolves when nothing more can be received on the exchange's own stream. */
  readonly ended: Promise<void>
  /** Resolves `ended`; called by the transports. */
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

  /** Sets status and headers of the HTTP response. `raw` contains names and values in turn. */
  setHead(status: number, raw: readonly string[]): void {
    const pairs: [string, string][] = []
    const named: Record<string, string> = {}
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const [name, value] = [raw[index]!, raw[index + 1]!]
      const lower = name.toLowerCase()
      pairs.push([name, value])
      named[lower] = named[lower] === undefined ? value : `${named[lower]}, ${value}`
    }
    this.httpStatus = status
    this.rawHeaders = pairs
    this.headers = named
  }

  get isInterrupted(): boolean {
    return this.failure === 'silent' || this.failure === 'unfinished' || this.isClosedWithOthers
  }

  /** The operation, and `success` if there is a result, otherwise `failure`. See `Message.kind`. */
  get kind(): string {
    return `${this.operation} ${this.response?.result === undefined ? 'failure' : 'success'}`
  }

  /**
   * The first response that was received in time, with `result` and `error` as the server sent
   * them.
   */
  get response(): RpcResponse | undefined {
    const json = this.answer?.json
    if (json === undefined) return undefined
    return {
      ...('result' in json ? { result: json.result } : {}),
      ...('error' in json ? { error: errorOf(json.error) } : {}),
    }
  }

  /** The first response as a received message, with its time and order. */
  get answer(): McpReceived | undefined {
    return this.responses[0]
  }

  /** The result, if it is an object. */
  get result(): Json | undefined {
    const result = this.response?.result
    return isObject(result) ? result : undefined
  }

  /** The error of the response. */
  get error(): RpcErrorObject | undefined {
    return this.response?.error
  }

  get milliseconds(): number {
    return Math.round((this.answer?.at ?? this.endedAt ?? this.startedAt) - this.startedAt)
  }

  /** The media type of the HTTP response, in lower case and without parameters. */
  get contentType(): string | undefined {
    return this.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  }

  header(name: string): string | undefined {
    return this.headers[name.toLowerCase()]
  }

  get transportName(): string {
    return transportNames[this.transport]
  }

  /** One line: the status, and the beginning of the response or why there is no response. */
  get summary(): string {
    const {
      outcome,
      whyNames,
      httpStatus,
      response,
      problems: [problem],
    } = this
    // If there is a response, a status of success adds no information.
    const isUsual = response !== undefined && (httpStatus === 200 || httpStatus === 202)
    const status =
      httpStatus === undefined || isUsual || whyNames.includes('status')
        ? ''
        : `HTTP ${httpStatus}, `
    if (this.hasOrdinaryBody) return `HTTP ${httpStatus} ${this.beginningOfText}`
    const more = problem === undefined || whyNames.includes('problem') ? '' : `; ${problem.text}`
    return `${status}${outcome}${this.redact.sentence(more)}`
  }

  /**
   * Whether the server refused the HTTP request with a body that is not JSON-RPC, such as
   * `{"error": "invalid_token"}`. The protocol does not define such bodies.
   */
  private get hasOrdinaryBody(): boolean {
    const { answer, httpStatus = 0, transport, failure, text } = this
    if (failure === 'status') return text !== '' && this.contentType !== 'text/html'
    if (transport !== 'http' || httpStatus < 400 || answer === undefined) return false
    return !('jsonrpc' in answer.json) && !hasRpcError(answer.json)
  }

  private get outcome(): string {
    const { response } = this
    if (response?.error !== undefined)
      return hasRpcError(response)
        ? `error ${response.error.code} "${this.beginningOf(String(response.error.message))}"`
        : this.beginningOf(JSON.stringify(this.answer!.message))
    if (response !== undefined) return this.describeResult(response.result)
    if (this.endedAt === undefined) return 'still open'
    if (this.failure === 'status') return `HTTP ${this.httpStatus}`
    if (this.failure !== undefined)
      return missingResponse(this.redact.sentence(this.why ?? this.failure))
    return this.text === '' ? 'no body' : this.beginningOfText
  }

  private get beginningOfText(): string {
    return this.beginningOf(this.text.replace(/\s+/g, ' '))
  }

  /** Describes a result of a tool by its text, and any other result by its JSON. */
  private describeResult(result: unknown): string {
    const { content, isError, ...others } = isObject(result) ? result : {}
    const texts = Array.isArray(content) ? content.map(textOfPart) : []
    if (texts.length === 0 || texts.includes(undefined))
      return `result ${this.beginningOf(JSON.stringify(result))}`
    const error = isError === true ? ' with isError true' : ''
    const more = Object.keys(others).length === 0 ? '' : `, ${JSON.stringify(others)}`
    return `result${error} ${this.beginningOf(`${JSON.stringify(texts.join('\n'))}${more}`)}`
  }

  /** Redacts the text before cutting it, because a part of a secret would not be found. */
  private beginningOf(text: string): string {
    const clean = this.redact(text)
    return clean.length > 160 ? `${clean.slice(0, 160)}…` : clean
  }

  /**
   * The exchange as plain data without secrets. Over stdio the method is `stdio`, the URL is the
   * command line and the status is 0. The body of the response is the HTTP body or, without HTTP,
   * the received messages, one per line. The problems follow the body.
   */
  record(): ExchangeRecord {
    const { sent, httpStatus, failure, why, redact, problems } = this
    const clean = (text: string) => shorten(redact(text), keptInRecord)
    const cleanHeader = (value: string) => shorten(redact(value), maxHeaderCharacters)
    const isAnswered = httpStatus !== undefined || this.receivedCount > 0 || problems.length > 0
    return {
      number: this.number,
      operation: this.operation,
      request: {
        method: sent.method,
        url: clean(sent.url),
        headers: Object.fromEntries(
          Object.entries(sent.headers).map(([name, value]) => [name, cleanHeader(value)]),
        ),
        body: sent.text === undefined ? null : clean(sent.text),
      },
      ...(isAnswered
        ? {
            response: {
              status: httpStatus ?? 0,
              headers: this.rawHeaders.map(([name, value]): [string, string] => [
                name,
                cleanHeader(value),
              ]),
              body: [
                clean(this.receivedText),
                ...problems.slice(0, 20).map(({ text }) => `! ${redact.sentence(text)}`),
              ].join('\n'),
            },
          }
        : {}),
      ...(failure === undefined ? {} : { failure: redact.sentence(why ?? failure) }),
      ...this.commandLine,
      ...(this.isSelfContained ? { isSelfContained: true } : {}),
      milliseconds: this.milliseconds,
    }
  }

  /**
   * Whether the command shows the same again, without a session, access token or cursor of the run,
   * and without earlier messages that it does not contain.
   */
  private get isSelfContained(): boolean {
    const { transport, sent, repeated } = this
    if (transport === 'sse' || repeated === undefined) return false
    if (transport === 'http' && repeated.length > 1) return false
    // Characters that replace invalid UTF-8 would be sent instead of it.
    if (repeated.some((text) => /"cursor"|\uFFFD/i.test(text))) return false
    return !Object.keys(sent.headers).some((name) =>
      ['mcp-session-id', 'authorization', 'last-event-id'].includes(name.toLowerCase()),
    )
  }

  /**
   * The messages, apart from the handshake, that must be sent again to get the same response or the
   * same failure. Undefined if they are too long for a command.
   */
  private get repeated(): readonly string[] | undefined {
    const { sent, operation, possibleCauses } = this
    const causes = possibleCauses
      .filter((one) => operation === 'initialize' || !handshakeOperations.includes(one.operation))
      .map((one) => one.sent.text ?? '')
    const texts = causes.length === 0 ? [sent.text ?? ''] : causes
    return texts.join('').length > maxCommandCharacters && this.transport === 'stdio'
      ? undefined
      : texts
  }

  private get receivedText(): string {
    if (this.transport === 'http' && this.text !== '') return this.text
    const all = [...this.notifications, ...this.requests, ...this.responses].sort(
      (one, other) => one.order - other.order,
    )
    return all.length === 0
      ? this.text
      : all.map(({ message }) => JSON.stringify(message)).join('\n')
  }

  /**
   * A command line that sends the same message: curl, or a handshake and a line to the subprocess.
   * Over HTTP+SSE, a second `curl` must keep the event stream open.
   */
  private get commandLine(): CommandLine {
    const { transport, sent, redact, operation, repeated = [sent.text ?? ''] } = this
    if (transport === 'stdio') {
      const lines = operation === 'initialize' ? repeated : [...handshake, ...repeated]
      const curl = `(printf '%s\\n' ${lines.map((line) => quoteForShell(shorten(line, maxCommandCharacters), redact)).join(' ')}; sleep 5) | ${redact(sent.url)}`
      return { curl }
    }
    const { 'Content-Type': type = 'application/json', ...headers } = sent.headers
    const body =
      sent.text === undefined ? {} : { body: { kind: 'text' as const, text: sent.text, type } }
    const line = formatCurl(
      { operation, method: sent.method, url: sent.url, headers, ...body },
      redact,
      this.number,
    )
    return transport === 'sse' && sent.method === 'POST'
      ? {
          ...line,
          curl: `${line.curl}   # while "curl -N" holds open the event stream that sent this URL`,
        }
      : line
  }
}

/** Returns a function that counts exchanges, from 1. */
export function countExchanges(): () => number {
  let count = 0
  return () => (count += 1)
}

const handshake = [
  '{"jsonrpc":"2.0","id":"touchstone","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"touchstone","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
]

/** The operations of the messages of a handshake. */
const handshakeOperations = ['initialize', 'notifications/initialized']

const textOfPart = (part: unknown): string | undefined =>
  isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string'
    ? part['text']
    : undefined

/** The longest message in a command line, in characters. A longer command could not be pasted. */
const maxCommandCharacters = 4000

/** The names of transports in reports. */
const transportNames = { http: 'streamable HTTP', sse: 'HTTP+SSE', stdio: 'stdio' } as const

/** Whether a message has an error with a code and a message, as JSON-RPC requires. */
const hasRpcError = ({ error }: { error?: unknown }): boolean => {
  const { code, message } = Object(error) as Partial<RpcErrorObject>
  return code !== undefined && message !== undefined
}

/** Returns the error if it is an object, otherwise an error whose message shows the value. */
function errorOf(error: unknown): RpcErrorObject {
  return isObject(error) ? error : { message: shown(error) }
}
