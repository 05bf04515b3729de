import type { Redactor } from '../secrets.ts'
import type { ExchangeRecord, Message } from '../../engine/index.ts'
import type { ByteBudget } from '../byte-budget.ts'
import { decodeContent } from '../content-coding.ts'
import { JsonBody } from '../json-body.ts'
import { KeptBody } from '../kept-body.ts'
import { maxBodyCharacters, shownLine, shownStart } from '../shown-body.ts'
import type { ResponseOutcome, SentResponse } from './response-outcome.ts'
import { recordOf } from './record.ts'

/** A request as it was received. */
interface ReceivedRequest {
  /** Unique within the run, among all messages. */
  number: number
  method: string
  /** Path and query, as they were sent. */
  url: string
  /** Alternating names and values, as they were sent. */
  rawHeaders: readonly string[]
  body: Buffer
  /** Why `body` is incomplete. */
  failure?: string | undefined
  isSecure: boolean
  /** When the headers had arrived: milliseconds since the epoch, by the receiver's clock. */
  arrivedAt: number
  /** Milliseconds from `arrivedAt` until the body ended. */
  milliseconds: number
  /** Scheme, host and port at which the request was received. */
  origin: string
}

/** What a delivery needs from its receiver. */
export interface DeliveryContext {
  /** Replaces secrets with their names. */
  redact: Redactor
  /** The memory for the parsed values of long bodies. */
  values: ByteBudget
  /** Returns the kind of a delivery, as the contract names it. */
  kindOf: (delivery: Delivery) => string
}

/** One HTTP request that a receiver got. Headers and JSON are parsed when they are first needed. */
export class Delivery implements Message {
  readonly operation = 'delivery'
  readonly number: number
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  /**
   * Whether the request reached the receiver over TLS. False if a proxy terminated the sender's
   * TLS.
   */
  readonly isSecure: boolean
  /** When the headers had arrived: milliseconds since the epoch, by the receiver's clock. */
  readonly arrivedAt: number
  /** Milliseconds from `arrivedAt` until the body ended. */
  readonly milliseconds: number
  /** Whether the whole body was received. */
  readonly isComplete: boolean
  /** Why the body is incomplete. */
  readonly failure: string | undefined
  private readonly received: KeptBody
  private readonly request: Omit<ReceivedRequest, 'body'>
  private readonly context: DeliveryContext
  private sent: SentResponse | undefined
  private pairs: readonly [string, string][] | undefined
  private decodedOnce: { body: JsonBody; failure?: string | undefined } | undefined

  constructor(arrival: ReceivedRequest, context: DeliveryContext) {
    const { body, ...request } = arrival
    this.request = request
    this.context = context
    this.number = arrival.number
    this.method = arrival.method
    this.url = arrival.url
    this.received = new KeptBody(body)
    this.isSecure = arrival.isSecure
    this.arrivedAt = arrival.arrivedAt
    this.milliseconds = arrival.milliseconds
    this.failure = arrival.failure
    this.isComplete = arrival.failure === undefined
  }

  get kind(): string {
    return this.context.kindOf(this)
  }

  /** The bytes as received, not decoded. Truncated at the receiver's limit. */
  get body(): Buffer {
    return this.received.bytes
  }

  /** The memory that the received body needs, in bytes. */
  get keptSize(): number {
    return this.received.size
  }

  /** Every header, with the order and case in which it was sent. */
  get headers(): readonly [string, string][] {
    const raw = this.request.rawHeaders
    return (this.pairs ??= Array.from({ length: raw.length / 2 }, (_, index) => [
      raw[2 * index]!,
      raw[2 * index + 1]!,
    ]))
  }

  /** The value of the first header with the given name, ignoring case. */
  header(name: string): string | undefined {
    return this.headersOf(name)[0]
  }

  /** The values of all headers with the given name, ignoring case. */
  headersOf(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.headers
      .filter(([candidate]) => candidate.toLowerCase() === wanted)
      .map(([, value]) => value)
  }

  /**
   * The decoded body as JSON. Undefined if it is not JSON, exceeds a limit, or does not have the
   * declared content coding.
   */
  get json(): unknown {
    return this.decoded.failure === undefined ? this.decoded.body.json : undefined
  }

  /** Why `json` is undefined, for reports. Undefined if the whole body is JSON. */
  get jsonFailure(): string | undefined {
    const { body, failure } = this.decoded
    return this.failure ?? failure ?? body.jsonFailure
  }

  /** The receiver's response. Undefined until it is sent, or if the sender did not wait for it. */
  get responseOutcome(): ResponseOutcome | undefined {
    return this.sent?.outcome
  }

  /** Records the response. Called by the receiver. */
  setResponse(
    outcome: ResponseOutcome,
    headers: readonly [string, string][] = [],
    body = '',
  ): void {
    this.sent = { outcome, headers, body }
  }

  /** Method, URL and start of the body in one line. */
  get summary(): string {
    const { redact } = this.context
    const { body, failure: codingFailure } = this.decoded
    const why = this.failure ?? codingFailure ?? body.excess
    const failure = why === undefined ? '' : ` (${why})`
    return `${this.method} ${redact(this.url)}${failure}  ${shownLine(body, redact)}`.trimEnd()
  }

  /**
   * The delivery as plain data without secrets. The values of a repeated header are joined by
   * commas.
   */
  record(): ExchangeRecord {
    return recordOf(
      this,
      shownStart(this.decoded.body, this.context.redact, maxBodyCharacters),
      this.request.origin,
      this.sent,
      this.context.redact,
    )
  }

  /** The body without its content coding. If it cannot be decoded, the body as received. */
  get decodedBody(): Buffer {
    return this.decoded.body.bytes
  }

  private get decoded(): { readonly body: JsonBody; readonly failure?: string | undefined } {
    if (this.decodedOnce === undefined) {
      const { bytes, failure } = decodeContent(this.body, this.header('content-encoding'))
      this.decodedOnce = { body: new JsonBody(bytes, this.context.values), failure }
    }
    return this.decodedOnce
  }
}
