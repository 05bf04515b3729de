/**
 * Once a run has lost `shortenedMs` milliseconds to timeouts, consecutive or not, further timeouts
 * are short. After `maxMs`, servers with several timeouts count as no longer responding. Otherwise
 * a run against a server that leaves every fifth request without a response would take many
 * minutes. The timeout that a user sets may be longer, so both are also multiples of it.
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

/** The shortest time, in milliseconds, to which a timeout is reduced before that. */
const shortestMs = 10_000

/** Counts the time that a run loses to timeouts. Messages that wait at the same time count once. */
export class LostTime {
  private ms = 0
  private until = -Infinity
  private slowestMs = 0
  private readonly userTimeout: number

  /** `userTimeout` is the timeout that the user sets for every message, in milliseconds. */
  constructor(userTimeout: number) {
    this.userTimeout = userTimeout
  }

  responded(durationMs: number): void {
    this.slowestMs = Math.max(this.slowestMs, durationMs)
  }

  timedOut({ sentAt, endedAt }: { sentAt: number; endedAt: number }): void {
    this.ms += Math.max(0, endedAt - Math.max(sentAt, this.until))
    this.until = Math.max(this.until, endedAt)
  }

  get isTooLong(): boolean {
    return this.ms >= Math.max(maxMs, timeoutsUntilTooLong * this.userTimeout)
  }

  /**
   * Returns the timeout of the next message, in milliseconds. `configured` is its timeout as long
   * as no time is lost. After `timeouts` consecutive timeouts, or if the time lost is a multiple of
   * it, it becomes a fraction, but not less than `shortestMs`.
   */
  shorten(configured: number, timeouts: number): number {
    const isShort = this.ms >= Math.max(shortenedMs, timeoutsUntilShort * this.userTimeout)
    const divisor = 1 + Math.max(timeouts, Math.floor(this.ms / configured))
    const shortened = isShort ? shortMs : Math.max(shortestMs, configured / divisor)
    return Math.min(configured, Math.max(shortened, slowestTimes * this.slowestMs))
  }
}
