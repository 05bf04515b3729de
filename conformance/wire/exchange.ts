import { ByteBudget } from './byte-budget.ts'
import { missingResponse } from './missing-response.ts'
import type { Redactor } from './secrets.ts'
import type { ExchangeRecord, Message } from '../engine/index.ts'
import type { EncodedBody } from './body.ts'
import { decodeContent, type DecodedBody } from './content-coding.ts'
import { formatCurl } from './curl.ts'
import type { HttpRequest } from './http-request.ts'
import { JsonBody } from './json-body.ts'

/** What was received: a response, an incomplete response, or nothing. */
export type ExchangeOutcome =
  | {
      status: number
      headers: [string, string][]
      body: Buffer
      failure?: string
      isInterrupted?: boolean
    }
  | {
      failure: string
      isInterrupted?: boolean
      isTimedOut?: boolean
      isRefused?: boolean
      unreachable?: string
    }

/** Longest body in a record, in characters. */
const maxBodyCharacters = 64 * 1024

/** How many characters after these are redacted too, because a secret may extend beyond the cut. */
const redactedBeyond = 16 * 1024

/** A request with its response, or with the reason why there is none. */
export class HttpExchange implements Message {
  readonly number: number
  readonly request: HttpRequest
  readonly milliseconds: number
  /** Undefined if no complete response was received. */
  readonly status: number | undefined
  /** Why there is no complete response. */
  readonly failure: string | undefined
  readonly isInterrupted: boolean
  /** Why the target is unreachable, if it is. */
  readonly unreachable: string | undefined
  readonly headers: readonly [string, string][]
  private readonly kept: JsonBody
  private readonly sent: EncodedBody
  private readonly redact: Redactor

  /** `values` is the memory for the parsed values of long bodies; by default, without a limit. */
  constructor(
    number: number,
    request: HttpRequest,
    sent: EncodedBody,
    outcome: ExchangeOutcome,
    milliseconds: number,
    redact: Redactor,
    values = new ByteBudget(Number.POSITIVE_INFINITY),
  ) {
    this.number = number
    this.request = request
    this.sent = sent
    this.milliseconds = milliseconds
    this.redact = redact
    this.headers = 'headers' in outcome ? outcome.headers : []
    const { bytes, failure }: DecodedBody =
      'body' in outcome
        ? decodeContent(outcome.body, this.header('content-encoding'))
        : { bytes: Buffer.alloc(0) }
    this.kept = new JsonBody(bytes, values)
    this.failure = outcome.failure ?? failure ?? this.kept.excess
    this.isInterrupted = outcome.isInterrupted === true
    this.unreachable = 'unreachable' in outcome ? outcome.unreachable : undefined
    this.status = 'status' in outcome && this.failure === undefined ? outcome.status : undefined
  }

  /** The body without its content coding. */
  get body(): Buffer {
    return this.kept.bytes
  }

  get kind(): string {
    return `${this.operation} ${(this.status ?? 0) < 300 ? 'success' : 'failure'}`
  }

  get operation(): string {
    return this.request.operation
  }

  /**
   * What the response may mean according to the check: a success, or reasons for a refusal. Empty
   * if the check does not say.
   */
  get meanings(): readonly string[] {
    return [this.request.meaning ?? []].flat()
  }

  /** The value of the first header with the given name, ignoring case. */
  header(name: string): string | undefined {
    const wanted = name.toLowerCase()
    return this.headers.find(([candidate]) => candidate.toLowerCase() === wanted)?.[1]
  }

  /**
   * The values of all headers with the given name, ignoring case, in their order. `Set-Cookie` can
   * occur several times.
   */
  headersOf(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.headers
      .filter(([candidate]) => candidate.toLowerCase() === wanted)
      .map(([, value]) => value)
  }

  /** The body as JSON. Undefined if it is not JSON, or exceeds a limit. */
  get json(): unknown {
    return this.kept.json
  }

  /**
   * The start of the body as a report shows it, without secrets; for an image, only its type and
   * length.
   */
  private shownBody(maxCharacters: number): string {
    const type = this.header('content-type') ?? ''
    const { length } = this.kept
    if (/^image\/(?!svg)/i.test(type)) return `(${length} bytes of ${type})`
    // A character has at most four bytes.
    const start = this.kept.start(4 * (maxCharacters + redactedBeyond))
    const text = this.redact(start.toString('utf8'))
    return start.length < length || text.length > maxCharacters
      ? `${text.slice(0, maxCharacters)}… (${length} bytes)`
      : text
  }

  /** The status and the start of the body in one line, or why there is no complete response. */
  get summary(): string {
    if (this.status === undefined) return missingResponse(this.failure)
    const text = this.shownBody(4096).replace(/\s+/g, ' ')
    return `${this.status}  ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
  }

  record(): ExchangeRecord {
    const { operation, method, url, headers = {} } = this.request
    const clean = (text: string) => truncate(this.redact(text))
    return {
      number: this.number,
      operation,
      request: {
        method,
        url: truncate(this.redact(url)),
        headers: Object.fromEntries(
          Object.entries({ ...this.sent.headers, ...headers }).map(([name, value]) => [
            name,
            clean(value),
          ]),
        ),
        body: this.sent.text === null ? null : clean(this.sent.text),
      },
      ...(this.status === undefined
        ? {}
        : {
            response: {
              status: this.status,
              headers: this.headers.map(([name, value]): [string, string] => [
                name,
                this.redact(value),
              ]),
              body: this.shownBody(maxBodyCharacters),
            },
          }),
      ...(this.failure === undefined ? {} : { failure: this.failure }),
      ...formatCurl(this.request, this.redact, this.number),
      ...(this.request.isSelfContained === true ? { isSelfContained: true } : {}),
      milliseconds: this.milliseconds,
    }
  }
}

function truncate(text: string): string {
  return text.length > maxBodyCharacters
    ? `${text.slice(0, maxBodyCharacters)}… (${text.length} characters)`
    : text
}
