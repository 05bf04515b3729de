import type { Clock } from '../../engine/index.ts'

/**
 * Times out one stream if it lasts too long, or if nothing happens for too long. Calls back once.
 */
export class StreamTimeouts {
  private readonly clock: Clock
  private readonly idle: number
  private readonly onExpired: (why: string, enough: 'silence' | 'time') => void
  private stopWhole: () => void
  private stopIdle = () => {}
  private touchedAt: number

  constructor(
    clock: Clock,
    { timeout, idle = timeout }: { timeout: number; idle?: number | undefined },
    lost: (why: string, enough: 'silence' | 'time') => void,
  ) {
    this.clock = clock
    this.idle = idle
    this.onExpired = lost
    this.touchedAt = clock.now()
    this.stopWhole = Number.isFinite(timeout)
      ? clock.after(timeout, () =>
          lost(`no end within ${timeout / 1000} s`, idle < timeout ? 'time' : 'silence'),
        )
      : () => {}
    if (idle < timeout) this.watch(idle)
  }

  /** Called when something happened. */
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

  /** Checks again when the idle timeout may have expired, so that `touch` is cheap. */
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
