/**
 * Once a run has lost `shortenedMs` milliseconds to timeouts, consecutive or not, further timeouts
 * are short. After `maxMs`, servers with several timeouts count as no longer responding. Otherwise
 * a run against a server that leaves every fifth request without a response would take many
 * minutes. Timeouts that a user sets may be longer, so both are also multiples of these.
 */
const shortenedMs = 40_000
const maxMs = 50_000
const timeoutsUntilShort = 4
const timeoutsUntilTooLong = 5

/**
 * A short timeout, in milliseconds. It is also at least `slowestTimes` the duration of the slowest
 * response of this run, because the server or the machine may be slow.
 */
const shortMs = 2000
const slowestTimes = 10

/** Counts the time that a run loses to timeouts. Messages that wait at the same time count once. */
export class LostTime {
  private ms = 0
  private until = -Infinity
  private slowestMs = 0
  private longestTimeout = 0

  responded(durationMs: number): void {
    this.slowestMs = Math.max(this.slowestMs, durationMs)
  }

  timedOut({ sentAt, endedAt }: { sentAt: number; endedAt: number }): void {
    this.longestTimeout = Math.max(this.longestTimeout, endedAt - sentAt)
    this.ms += Math.max(0, endedAt - Math.max(sentAt, this.until))
    this.until = Math.max(this.until, endedAt)
  }

  get isTooLong(): boolean {
    return this.exceeds(maxMs, timeoutsUntilTooLong)
  }

  /**
   * Returns the timeout of the next message, in milliseconds. `configured` is the timeout that the
   * user sets, `timeout` the one that applies as long as little time is lost.
   */
  shorten(configured: number, timeout: number): number {
    this.longestTimeout = Math.max(this.longestTimeout, configured)
    const shortest = slowestTimes * this.slowestMs
    return Math.min(
      configured,
      this.exceeds(shortenedMs, timeoutsUntilShort)
        ? Math.max(shortMs, shortest)
        : Math.max(timeout, shortest),
    )
  }

  private exceeds(ms: number, timeouts: number): boolean {
    return this.ms >= Math.max(ms, timeouts * this.longestTimeout)
  }
}
