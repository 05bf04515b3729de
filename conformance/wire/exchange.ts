import { missingResponse } from './missing-response.ts'
import type { Redactor } from './secrets.ts'
import type { ExchangeRecord, Message } from '../engine/index.ts'
import type { EncodedBody } from './body.ts'
import { decodeContent } from './content-coding.ts'
import { formatCurl } from './curl.ts'
import type { HttpRequest } from './http-request.ts'

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

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Longest body in a record, in characters. */
const maxBodyCharacters = 64 * 1024

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
  readonly body: Buffer
  private readonly sent: EncodedBody
  private readonly redact: Redactor
  private parsed: { value: unknown } | null | undefined

  constructor(
    number: number,
    request: HttpRequest,
    sent: EncodedBody,
    outcome: ExchangeOutcome,
    milliseconds: number,
    redact: Redactor,
  ) {
    this.number = number
    this.request = request
    this.sent = sent
    this.milliseconds = milliseconds
    this.redact = redact
    this.failure = outcome.failure
    this.isInterrupted = outcome.isInterrupted === true
    this.unreachable = 'unreachable' in outcome ? outcome.unreachable : undefined
    this.status = 'status' in outcome && outcome.failure === undefined ? outcome.status : undefined
    this.headers = 'headers' in outcome ? outcome.headers : []
    this.body =
      'body' in outcome
        ? decodeContent(outcome.body, this.header('content-encoding'))
        : Buffer.alloc(0)
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

  /**
   * The body as JSON (RFC 8259: UTF-8; a leading BOM is ignored). Undefined if it is not JSON.
   *
   * @see https://www.rfc-editor.org/rfc/rfc8259#section-8.1
   */
  get json(): unknown {
    if (this.parsed === undefined) {
      try {
        this.parsed = { value: JSON.parse(utf8.decode(this.body)) as unknown }
      } catch {
        this.parsed = null
      }
    }
    return this.parsed?.value
  }

  /** The body as a report shows it; for an image, only its type and length. */
  private get bodyText(): string {
    const type = this.header('content-type') ?? ''
    return /^image\/(?!svg)/i.test(type)
      ? `(${this.body.length} bytes of ${type})`
      : this.body.toString('utf8')
  }

  /** The status and the start of the body in one line, or why there is no complete response. */
  get summary(): string {
    if (this.status === undefined) return missingResponse(this.failure)
    const text = this.redact(this.bodyText).replace(/\s+/g, ' ')
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
        url: this.redact(url),
        headers: Object.fromEntries(
          Object.entries({ ...this.sent.headers, ...headers }).map(([name, value]) => [
            name,
            this.redact(value),
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
              body: clean(this.bodyText),
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
