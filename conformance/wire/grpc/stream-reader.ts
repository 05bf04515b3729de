import type { ClientHttp2Stream } from 'node:http2'
import type { Clock } from '../../engine/index.ts'
import type { GrpcMessage } from './messages.ts'

/**
 * The stream is paused after this many unread messages or bytes, so that flow control makes the
 * server wait.
 */
const maxWaiting = { messages: 1000, bytes: 4 * 1024 * 1024 }

/** A queue of received messages, for one reader at a time. */
export class StreamReader {
  private readonly http2: ClientHttp2Stream | undefined
  private readonly clock: Clock
  private waiting: GrpcMessage[] = []
  private waitingBytes = 0
  private isOver = false
  private isPaused = false
  private isDraining = false
  private wake: (() => void) | undefined

  constructor(http2: ClientHttp2Stream | undefined, clock: Clock) {
    this.http2 = http2
    this.clock = clock
  }

  add(message: GrpcMessage): void {
    if (this.isDraining) return
    this.waiting.push(message)
    this.waitingBytes += message.bytes.length
    this.wake?.()
    if (!this.hasRoom) this.http2?.pause()
  }

  /** Ends the queue; queued messages can still be read. */
  end(): void {
    this.isOver = true
    this.wake?.()
  }

  /**
   * Returns the next message; undefined at the end, or if none arrives in this many milliseconds.
   */
  async next(within?: number): Promise<GrpcMessage | undefined> {
    if (this.waiting.length === 0 && !this.isOver) {
      let stop = () => {}
      await new Promise<void>((resolve) => {
        this.wake = resolve
        if (within !== undefined) stop = this.clock.after(within, resolve, 'a message on a stream')
      })
      stop()
      this.wake = undefined
    }
    const message = this.waiting.shift()
    this.waitingBytes -= message?.bytes.length ?? 0
    this.resumeIfRoom()
    return message
  }

  /** Discards the queued messages, and all later ones. */
  drain(): void {
    this.isDraining = true
    this.waiting = []
    this.waitingBytes = 0
    this.resumeIfRoom()
  }

  /** Pauses or resumes reading from the stream. */
  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused
    if (isPaused) this.http2?.pause()
    else this.resumeIfRoom()
  }

  private resumeIfRoom(): void {
    if (!this.isPaused && this.hasRoom) this.http2?.resume()
  }

  private get hasRoom(): boolean {
    return this.waiting.length < maxWaiting.messages && this.waitingBytes < maxWaiting.bytes
  }
}
