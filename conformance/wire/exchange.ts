import { ByteBudget } from './byte-budget.ts'
import { missingResponse } from './missing-response.ts'
import type { Redactor } from './secrets.ts'
import { shorten, type ExchangeRecord, type Message } from '../engine/index.ts'
import type { EncodedBody } from './body.ts'
import { decodeContent, type DecodedBody } from './content-coding.ts'
import { formatCurl } from './curl.ts'
import type { HttpRequest } from './http-request.ts'
import { JsonBody } from './json-body.ts'
import { maxBodyCharacters, maxHeaderCharacters, shownLine, shownStart } from './shown-body.ts'

/** What was received: a response, an incomplete response, or nothing. */
export type ExchangeOutcome =
  | {
      status: number
      headers: [string, string][]
      body: Buffer
      failure?: string
      isInterrupted?: boolean
      isTimedOut?: boolean
    }
  | {
      failure: string
      isInterrupted?: boolean
      isTimedOut?: boolean
      isRefused?: boolean
      unreachable?: string
    }

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
    // An exchange without a response did not succeed, such as one that a timeout has ended.
    return `${this.operation} ${(this.status ?? Infinity) < 300 ? 'success' : 'failure'}`
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

  /** Describes an image, whose bytes mean nothing to people; undefined for other bodies. */
  private get describedImage(): string | undefined {
    const type = this.header('content-type') ?? ''
    return /^image\/(?!svg)/i.test(type) ? `(${this.kept.length} bytes of ${type})` : undefined
  }

  /** The status and the start of the body in one line, or why there is no complete response. */
  get summary(): string {
    if (this.status === undefined) return missingResponse(this.failure)
    return `${this.status}  ${this.describedImage ?? shownLine(this.kept, this.redact)}`
  }

  record(): ExchangeRecord {
    const { operation, method, url, headers = {} } = this.request
    const clean = (text: string) => shorten(this.redact(text), maxBodyCharacters)
    const cleanHeader = (value: string) => shorten(this.redact(value), maxHeaderCharacters)
    return {
      number: this.number,
      operation,
      request: {
        method,
        url: clean(url),
        headers: Object.fromEntries(
          Object.entries({ ...this.sent.headers, ...headers }).map(([name, value]) => [
            name,
            cleanHeader(value),
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
                cleanHeader(value),
              ]),
              body: this.describedImage ?? shownStart(this.kept, this.redact, maxBodyCharacters),
            },
          }),
      ...(this.failure === undefined ? {} : { failure: this.failure }),
      ...formatCurl(this.request, this.redact, this.number),
      ...(this.request.isSelfContained === true ? { isSelfContained: true } : {}),
      milliseconds: this.milliseconds,
    }
  }
}
