import type { ExchangeRecord, Message } from '../../engine/index.ts'
import { decodeContent } from '../content-coding.ts'
import type { ResponseOutcome, SentResponse } from './response-outcome.ts'
import { recordOf } from './record.ts'

/** A request as it came in. */
interface ReceivedRequest {
  /** Unique within the run, among all messages. */
  number: number
  method: string
  /** Path and query, as they were sent. */
  url: string
  /** Names and values by turns, as they were sent. */
  rawHeaders: readonly string[]
  body: Buffer
  /** Why `body` is not the whole of it. */
  failure?: string | undefined
  isSecure: boolean
  /** Milliseconds since the epoch, by the receiver's clock, when the headers were in. */
  arrivedAt: number
  /** How long the body took after that. */
  milliseconds: number
  /** Scheme, host and port at which it came in. */
  origin: string
}

/** What a delivery cannot know by itself. */
export interface DeliveryContext {
  /** Takes secrets out of a text. */
  redact: (text: string) => string
  /** Tells of what kind it is, in the words of a contract. */
  kindOf: (delivery: Delivery) => string
}

/** One HTTP request that came in at a receiver. Nothing of it is parsed before it is asked for. */
export class Delivery implements Message {
  readonly operation = 'delivery'
  readonly number: number
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  /** The bytes as they came, still in their coding; cut at the receiver's bound. */
  readonly body: Buffer
  /** Whether it came over TLS to the receiver itself: a proxy in between may have ended it. */
  readonly isSecure: boolean
  /** Milliseconds since the epoch, by the receiver's clock, when the headers were in. */
  readonly arrivedAt: number
  /** How long the body took after that. */
  readonly milliseconds: number
  /** Whether `body` is all that was to come. */
  readonly isComplete: boolean
  /** Why it is not. */
  readonly failure: string | undefined
  private readonly request: ReceivedRequest
  private readonly context: DeliveryContext
  private sent: SentResponse | undefined
  private pairs: readonly [string, string][] | undefined
  private parsed: { value: unknown } | null | undefined

  constructor(arrival: ReceivedRequest, reading: DeliveryContext) {
    this.request = arrival
    this.context = reading
    this.number = arrival.number
    this.method = arrival.method
    this.url = arrival.url
    this.body = arrival.body
    this.isSecure = arrival.isSecure
    this.arrivedAt = arrival.arrivedAt
    this.milliseconds = arrival.milliseconds
    this.failure = arrival.failure
    this.isComplete = arrival.failure === undefined
  }

  get kind(): string {
    return this.context.kindOf(this)
  }

  /** Every header, in the order and the case in which it was sent. */
  get headers(): readonly [string, string][] {
    const raw = this.request.rawHeaders
    return (this.pairs ??= Array.from({ length: raw.length / 2 }, (_, index) => [
      raw[2 * index]!,
      raw[2 * index + 1]!,
    ]))
  }

  /** The first header of that name, whatever its case; undefined where there is none. */
  header(name: string): string | undefined {
    return this.headersOf(name)[0]
  }

  /** The values of all headers of that name, whatever its case. */
  headersOf(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.headers
      .filter(([candidate]) => candidate.toLowerCase() === wanted)
      .map(([, value]) => value)
  }

  /** The body as JSON (RFC 8259: UTF-8, a leading BOM is passed over), out of its coding; undefined where it is none. */
  get json(): unknown {
    if (this.parsed === undefined) {
      try {
        this.parsed = {
          value: JSON.parse(
            new TextDecoder('utf-8', { fatal: true }).decode(this.decodedBody),
          ) as unknown,
        }
      } catch {
        this.parsed = null
      }
    }
    return this.parsed?.value
  }

  /** What the receiver answered; undefined before it did, and where the sender did not wait for it. */
  get responseOutcome(): ResponseOutcome | undefined {
    return this.sent?.outcome
  }

  /** For the receiver: notes what it answered. */
  setResponse(
    answered: ResponseOutcome,
    headers: readonly [string, string][] = [],
    body = '',
  ): void {
    this.sent = { outcome: answered, headers, body }
  }

  /** Method, address and the beginning of the body in one line. */
  get summary(): string {
    const { redact } = this.context
    const text = redact(this.decodedBody.subarray(0, 1024).toString('utf8')).replace(/\s+/g, ' ')
    const failure = this.failure === undefined ? '' : ` (${this.failure})`
    return `${this.method} ${redact(this.url)}${failure}  ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`.trimEnd()
  }

  /** As plain data without secrets. A header that was sent more than once stands there once, its values joined by commas. */
  record(): ExchangeRecord {
    return recordOf(
      this,
      this.decodedBody.toString('utf8'),
      this.request.origin,
      this.sent,
      this.context.redact,
    )
  }

  private get decodedBody(): Buffer {
    return decodeContent(this.body, this.header('content-encoding'))
  }
}
