import type { ByteBudget } from '../byte-budget.ts'
import type { Redactor } from '../secrets.ts'
import type { ExchangeRecord, Message } from '../../engine/index.ts'
import { headerBytes } from './frames.ts'
import type { GrpcCall, GrpcEnd, GrpcMessage, GrpcSent } from './messages.ts'
import { recordOf } from './record.ts'
import { statusName, type MetadataPairs } from './status.ts'

/** Limits of what one stream keeps for later checks, for each direction. */
const limits = { messages: 200_000, bytes: 16 * 1024 * 1024 }

/** The memory that a message needs in addition to its bytes, in bytes. */
const objectBytes = 200

/** One stream: what was sent and received, and how it ended. */
export class GrpcExchange implements Message {
  readonly number: number
  readonly call: GrpcCall
  readonly address: string
  readonly secure: boolean
  /** All metadata that was sent. */
  readonly metadata: MetadataPairs
  readonly startedAt: number
  /** Whether the timeout expired before the connection for the call was open. */
  readonly isConnectionTimedOut: boolean
  sentCount = 0
  receivedCount = 0
  /** How many of the received messages were compressed. */
  compressedCount = 0
  /** Bytes of all received messages, including frame headers. */
  receivedBytes = 0
  /** The first messages that were sent and received, up to `limits`. */
  readonly sent: GrpcSent[] = []
  readonly received: GrpcMessage[] = []
  /** Errors in received frames. */
  readonly problems: string[] = []
  headers: MetadataPairs = []
  httpStatus: number | undefined
  trailers: MetadataPairs = []
  /** Undefined while the stream is open. */
  end: GrpcEnd | undefined
  halfClosedAt: number | undefined
  readonly redact: Redactor
  private sentBytes = 0
  /** The memory of all messages that the client keeps. */
  private readonly budget: ByteBudget

  constructor(
    given: Pick<
      GrpcExchange,
      | 'number'
      | 'call'
      | 'address'
      | 'secure'
      | 'metadata'
      | 'startedAt'
      | 'isConnectionTimedOut'
      | 'redact'
    >,
    budget: ByteBudget,
  ) {
    this.budget = budget
    this.number = given.number
    this.call = given.call
    this.address = given.address
    this.secure = given.secure
    this.metadata = given.metadata
    this.startedAt = given.startedAt
    this.isConnectionTimedOut = given.isConnectionTimedOut
    this.redact = given.redact
  }

  get operation(): string {
    return this.call.operation
  }

  get url(): string {
    return `${this.secure ? 'https' : 'http'}://${this.address}${this.call.path}`
  }

  /**
   * The operation, and `success` if a message was received, otherwise `failure`. See
   * `Message.kind`.
   */
  get kind(): string {
    return `${this.operation} ${this.receivedCount > 0 ? 'success' : 'failure'}`
  }

  get milliseconds(): number {
    return Math.round((this.end?.at ?? this.startedAt) - this.startedAt)
  }

  get isInterrupted(): boolean {
    const { gaveUp } = this.end ?? {}
    return this.isConnectionTimedOut || gaveUp === 'silence' || gaveUp === 'time'
  }

  /** The value of the first header with this name. The name must be lowercase, as in HTTP/2. */
  header(name: string): string | undefined {
    return this.headers.find(([candidate]) => candidate === name)?.[1]
  }

  addSent(sent: GrpcSent): void {
    this.sentCount += 1
    this.sentBytes += sent.frame.length
    if (this.sent.length < limits.messages && this.sentBytes <= limits.bytes) this.sent.push(sent)
  }

  addReceived(message: GrpcMessage): void {
    this.receivedCount += 1
    this.receivedBytes += message.bytes.length + headerBytes
    if (
      this.received.length < limits.messages &&
      this.receivedBytes <= limits.bytes &&
      this.budget.take(message.bytes.length + objectBytes)
    )
      this.received.push(message)
  }

  /** The number of messages and how the stream ended, in one line. */
  get summary(): string {
    const count = `${this.receivedCount} ${this.receivedCount === 1 ? 'message' : 'messages'}`
    return this.redact(
      `${count}, ${this.outcome}${this.problems.length === 0 ? '' : `; ${this.problems[0]}`}`,
    )
  }

  private get outcome(): string {
    if (this.end === undefined) return 'still open'
    const { grpcStatus, grpcMessage = '', httpStatus, failure } = this.end
    if (grpcStatus !== undefined)
      // Omits the message `OK`, because some servers send the name of the status as its message.
      return `status ${statusName(grpcStatus)}${grpcMessage === '' || grpcMessage === 'OK' ? '' : ` "${this.redact(grpcMessage).slice(0, 160)}"`}`
    return `no grpc-status${httpStatus === undefined ? '' : `, HTTP ${httpStatus}`}${failure === undefined ? '' : `: ${failure}`}`
  }

  record(): ExchangeRecord {
    return recordOf(this)
  }
}
