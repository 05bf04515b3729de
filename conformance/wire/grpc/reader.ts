import type { ClientHttp2Stream } from 'node:http2'
import type { Clock } from '../../engine/index.ts'
import type { GrpcMessage } from './messages.ts'

/** Messages that wait to be read before no more are taken from the connection: the server feels a slow reader by HTTP/2's flow control. */
const ahead = 1000

/** Where the messages of a stream wait for whoever reads them, one reader at a time. */
export class StreamReader {
  private readonly http2: ClientHttp2Stream | undefined
  private readonly clock: Clock
  private waiting: GrpcMessage[] = []
  private over = false
  private held = false
  private draining = false
  private wake: (() => void) | undefined

  constructor(http2: ClientHttp2Stream | undefined, clock: Clock) {
    this.http2 = http2
    this.clock = clock
  }

  put(message: GrpcMessage): void {
    if (this.draining) return
    this.waiting.push(message)
    this.wake?.()
    if (this.waiting.length >= ahead) this.http2?.pause()
  }

  /** Nothing more will come; what is there can still be read. */
  end(): void {
    this.over = true
    this.wake?.()
  }

  /** The next message; undefined once nothing more comes, and when so many milliseconds have passed. */
  async next(within?: number): Promise<GrpcMessage | undefined> {
    if (this.waiting.length === 0 && !this.over) {
      let stop = () => {}
      await new Promise<void>((resolve) => {
        this.wake = resolve
        if (within !== undefined) stop = this.clock.after(within, resolve)
      })
      stop()
      this.wake = undefined
    }
    const message = this.waiting.shift()
    this.flow()
    return message
  }

  /** Lets go of what comes from now on. */
  drain(): void {
    this.draining = true
    this.waiting = []
    this.flow()
  }

  /** Takes nothing from the connection until it is let go again. */
  hold(held: boolean): void {
    this.held = held
    if (held) this.http2?.pause()
    else this.flow()
  }

  private flow(): void {
    if (!this.held && this.waiting.length < ahead) this.http2?.resume()
  }
}
