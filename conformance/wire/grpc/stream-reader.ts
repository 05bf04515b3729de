import type { ClientHttp2Stream } from 'node:http2'
import type { Clock } from '../../engine/index.ts'
import type { GrpcMessage } from './messages.ts'

/** Messages that wait to be read before no more are taken from the connection: the server feels a slow reader by HTTP/2's flow control. */
const maxWaiting = 1000

/** Where the messages of a stream wait for whoever reads them, one reader at a time. */
export class StreamReader {
  private readonly http2: ClientHttp2Stream | undefined
  private readonly clock: Clock
  private waiting: GrpcMessage[] = []
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
    this.wake?.()
    if (this.waiting.length >= maxWaiting) this.http2?.pause()
  }

  /** Nothing more will come; what is there can still be read. */
  end(): void {
    this.isOver = true
    this.wake?.()
  }

  /** The next message; undefined once nothing more comes, and when so many milliseconds have passed. */
  async next(within?: number): Promise<GrpcMessage | undefined> {
    if (this.waiting.length === 0 && !this.isOver) {
      let stop = () => {}
      await new Promise<void>((resolve) => {
        this.wake = resolve
        if (within !== undefined) stop = this.clock.after(within, resolve)
      })
      stop()
      this.wake = undefined
    }
    const message = this.waiting.shift()
    this.resumeIfRoom()
    return message
  }

  /** Lets go of what comes from now on. */
  drain(): void {
    this.isDraining = true
    this.waiting = []
    this.resumeIfRoom()
  }

  /** Takes nothing from the connection until it is let go again. */
  setPaused(held: boolean): void {
    this.isPaused = held
    if (held) this.http2?.pause()
    else this.resumeIfRoom()
  }

  private resumeIfRoom(): void {
    if (!this.isPaused && this.waiting.length < maxWaiting) this.http2?.resume()
  }
}
