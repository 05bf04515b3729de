import { constants, type ClientHttp2Stream } from 'node:http2'
import type { Clock } from '../../engine/index.ts'
import { describeError } from './dial.ts'
import type { GrpcExchange } from './exchange.ts'
import type { GiveUpReason, GrpcEnd, GrpcMessage } from './messages.ts'
import { frameOf } from './frames.ts'
import { StreamReceiver } from './stream-receiver.ts'
import { StreamTimeouts } from './stream-timeouts.ts'
import { StreamReader } from './stream-reader.ts'
import { readStatus } from './status.ts'
import { afterCancel } from '../wait.ts'

/** A server that sends more messages than this for each request will probably never stop. */
const maxMessagesPerRequest = 10_000

export interface StreamLimits {
  /** Milliseconds for the whole stream. */
  timeout: number
  /** Maximum milliseconds in which nothing happens; `timeout` by default. */
  idle?: number | undefined
  maxMessageBytes: number
  /** Largest sum of all messages, in bytes. */
  maxBytes: number
  /** Aborts when the run is cancelled. The call is then soon given up. */
  signal?: AbortSignal | undefined
}

/**
 * The HTTP/2 stream of a call. To cancel the call, use `abort`, which sends only RST_STREAM. Node's
 * `close` would half-close the stream first, which the server would see as a normal end.
 */
export interface CallStream {
  readonly http2: ClientHttp2Stream
  /** Resets the stream with CANCEL. */
  readonly abort: () => void
  /** Whether the connection has ended. Node then sets a reset code that the server did not send. */
  readonly isConnectionLost: () => boolean
}

/**
 * One call. It sends and receives messages, and records how the call ended. It never throws or
 * rejects because of what a target does.
 */
export class GrpcStream {
  readonly exchange: GrpcExchange
  /** Resolves when the stream is over. The caller must read all messages, or call `drain`. */
  readonly ended: Promise<GrpcEnd>
  private readonly callStream: CallStream | undefined
  private readonly http2: ClientHttp2Stream | undefined
  private readonly clock: Clock
  private readonly limits: StreamLimits
  private readonly timeouts: StreamTimeouts
  private readonly receiver: StreamReceiver | undefined
  private readonly reader: StreamReader
  private readonly stopCancelTimer: () => void
  private resolveEnded!: (end: GrpcEnd) => void

  /** If there is no HTTP/2 stream, the call has failed from the start, for the given reason. */
  constructor(
    callStream: CallStream | undefined,
    exchange: GrpcExchange,
    clock: Clock,
    limits: StreamLimits,
    failure = 'there is no connection',
  ) {
    this.callStream = callStream
    this.http2 = callStream?.http2
    this.exchange = exchange
    this.clock = clock
    this.limits = limits
    this.reader = new StreamReader(this.http2, clock)
    this.ended = new Promise((keep) => (this.resolveEnded = keep))
    this.timeouts = new StreamTimeouts(clock, limits, (why, reason) => this.giveUp(why, reason))
    this.stopCancelTimer = afterCancel(clock, limits.signal, () =>
      this.giveUp('the run was cancelled', 'time'),
    )
    this.receiver = this.http2 === undefined ? undefined : this.listen(this.http2)
    if (this.http2 === undefined) this.finish(failure)
  }

  /**
   * Sends a message. Resolves with true when the next message can be sent, or with false if the
   * stream is over.
   */
  send(message: Uint8Array, { gzip = false } = {}): Promise<boolean> {
    return this.write(frameOf(message, { gzip }), message)
  }

  /** Sends a message like `send`, but first only `length` bytes of its frame, until `between`. */
  async sendInTwo(
    message: Uint8Array,
    length: number,
    between: () => Promise<unknown>,
  ): Promise<boolean> {
    const frame = frameOf(message)
    await this.write(frame.subarray(0, length), undefined)
    await between()
    return this.write(frame.subarray(length), message)
  }

  /** Sends bytes as they are, whether or not they are frames. */
  sendRaw(bytes: Uint8Array): Promise<boolean> {
    return this.write(bytes, undefined)
  }

  /** Ends the sending side. */
  halfClose(): void {
    if (this.isOver || this.http2 === undefined || this.http2.writableEnded) return
    this.exchange.halfClosedAt = this.clock.now()
    this.http2.end()
  }

  /** Cancels the call. */
  cancel(why = 'the client cancelled the call'): void {
    if (!this.isOver) this.giveUp(why, 'cancelled')
  }

  /**
   * Stops reading until `resume`. The server fills the flow control window, and then must wait.
   */
  pause(): void {
    this.reader.setPaused(true)
    this.timeouts.suspend()
  }

  resume(): void {
    this.timeouts.touch()
    this.reader.setPaused(false)
  }

  /**
   * Returns the next message; undefined at the end, or if none arrives in this many milliseconds.
   */
  next(within?: number): Promise<GrpcMessage | undefined> {
    return this.reader.next(within)
  }

  /** Reads until the end; the exchange keeps the messages. */
  drain(): Promise<GrpcEnd> {
    this.reader.drain()
    return this.ended
  }

  get isOver(): boolean {
    return this.exchange.end !== undefined
  }

  private async write(frame: Uint8Array, message: Uint8Array | undefined): Promise<boolean> {
    const { http2 } = this
    if (this.isOver || http2 === undefined || http2.writableEnded || http2.destroyed) return false
    this.exchange.addSent({
      at: this.clock.now(),
      frame,
      ...(message === undefined ? {} : { message }),
    })
    if (!http2.write(frame)) {
      await Promise.race([new Promise<void>((resolve) => http2.once('drain', resolve)), this.ended])
      this.timeouts.touch()
    }
    return !this.isOver
  }

  private listen(http2: ClientHttp2Stream): StreamReceiver {
    const { exchange, clock, limits } = this
    const intake = new StreamReceiver(http2, exchange, {
      clock,
      maxMessageBytes: limits.maxMessageBytes,
      onActivity: () => this.timeouts.touch(),
      onMessage: (message) => this.receiveMessage(message),
    })
    // Node emits `end` also for a stream that was reset. Only a reset stream is already closed when
    // `end` is emitted.
    http2.on('end', () =>
      this.finish(http2.closed && exchange.trailers.length === 0 ? this.resetReason : undefined),
    )
    http2.on('error', (error) =>
      this.finish(
        this.callStream?.isConnectionLost() === true ? describeError(error) : this.resetReason,
      ),
    )
    http2.on('close', () => this.finish(this.resetReason))
    return intake
  }

  private receiveMessage(message: GrpcMessage): void {
    this.reader.add(message)
    const { receivedBytes, receivedCount, sentCount } = this.exchange
    const maxMessages = maxMessagesPerRequest * Math.max(1, sentCount)
    if (receivedBytes > this.limits.maxBytes)
      this.giveUp(`more than ${this.limits.maxBytes} bytes were received`, 'bytes')
    else if (receivedCount > maxMessages)
      this.giveUp(
        `more than ${maxMessages} messages were received for ${sentCount} ${sentCount === 1 ? 'request' : 'requests'}`,
        'flood',
      )
  }

  /** Why the stream ended although the server did not end it. */
  private get resetReason(): string {
    return this.callStream?.isConnectionLost() === true
      ? 'the connection was closed'
      : `the server reset the stream (code ${this.http2?.rstCode})`
  }

  private giveUp(why: string, reason?: GiveUpReason): void {
    this.finish(why, reason)
    this.callStream?.abort()
  }

  private finish(failure?: string, reason?: GiveUpReason): void {
    const { exchange, http2 } = this
    if (this.isOver) return
    this.timeouts.end()
    this.stopCancelTimer()
    if (failure === undefined) this.receiver?.end()
    const { httpStatus, trailers } = exchange
    const rstCode = this.callStream?.isConnectionLost() === false ? (http2?.rstCode ?? 0) : 0
    exchange.end = {
      ...readStatus(trailers),
      ...(httpStatus === undefined ? {} : { httpStatus }),
      ...(rstCode === 0 ? {} : { rstCode }),
      ...(failure === undefined ? {} : { failure }),
      ...(reason === undefined ? {} : { gaveUp: reason }),
      at: this.clock.now(),
    }
    this.reader.end()
    this.resolveEnded(exchange.end)
    // The server has ended the stream, so unsent data is discarded.
    if (failure === undefined) http2?.close(constants.NGHTTP2_NO_ERROR)
  }
}
