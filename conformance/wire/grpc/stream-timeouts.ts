import type { Clock } from '../../engine/index.ts'

/**
 * The timeouts of one stream: for its whole duration, and for the time in which nothing happens.
 */
export class StreamTimeouts {
  private readonly clock: Clock
  private readonly idle: number
  private readonly onExpired: (why: string, reason: 'silence' | 'time') => void
  private stopWhole: () => void
  private stopIdle = () => {}
  private touchedAt: number

  constructor(
    clock: Clock,
    { timeout, idle = timeout }: { timeout: number; idle?: number | undefined },
    onExpired: (why: string, reason: 'silence' | 'time') => void,
  ) {
    this.clock = clock
    this.idle = idle
    this.onExpired = onExpired
    this.touchedAt = clock.now()
    this.stopWhole = Number.isFinite(timeout)
      ? clock.after(
          timeout,
          () =>
            onExpired(
              `the stream did not end within ${timeout / 1000} s`,
              idle < timeout ? 'time' : 'silence',
            ),
          'the end of a stream',
        )
      : () => {}
    if (idle < timeout) this.watch(idle)
  }

  /** Restarts the idle timeout, because something happened. */
  touch(): void {
    this.touchedAt = this.clock.now()
  }

  /** Suspends the idle timeout until the next `touch`, because the client itself does not read. */
  suspend(): void {
    this.touchedAt = Number.POSITIVE_INFINITY
  }

  end(): void {
    this.stopWhole()
    this.stopIdle()
    this.stopIdle = () => {}
  }

  /**
   * Checks after `wait` milliseconds whether the idle timeout has expired, and if it has not,
   * checks again later. Therefore `touch` does not restart a timer.
   */
  private watch(wait: number): void {
    this.stopIdle = this.clock.after(wait, () => {
      const left =
        this.touchedAt === Number.POSITIVE_INFINITY
          ? this.idle
          : this.touchedAt + this.idle - this.clock.now()
      if (left > 0) this.watch(left)
      else this.onExpired(`nothing happened for ${this.idle / 1000} s`, 'silence')
    })
  }
}
