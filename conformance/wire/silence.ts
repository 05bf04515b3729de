import type { LostTime } from './lost-time.ts'

/**
 * After this many consecutive timeouts, a server counts as no longer responding. A message counts
 * only if it was sent after the one before it had timed out: if messages wait at the same time, a
 * busy machine may be the reason.
 */
const maxTimeouts = 5

/**
 * Fewer are enough if the server has never responded, or if the timeouts lasted `enoughMs`
 * milliseconds together. Otherwise a run against a silent server would take minutes.
 */
const minTimeouts = 3
const enoughMs = 50_000

/** Counts the messages to which a server did not respond completely. */
export class Silence {
  /** How many consecutive messages timed out. */
  timeouts = 0
  /** How many messages timed out in all. */
  private allTimeouts = 0
  private lastedMs = 0
  private lastMs = 0
  private hasResponded = false
  private timedOutAt = -Infinity
  private readonly lost: LostTime

  /** Several servers share `lost`, the time that a run may lose. */
  constructor(lost: LostTime) {
    this.lost = lost
  }

  /** Records a complete response, and how many milliseconds it took. */
  responded(durationMs = 0): void {
    this.hasResponded = true
    this.timeouts = 0
    this.lastedMs = 0
    this.lost.responded(durationMs)
  }

  /** Records that a message timed out. Both times are in milliseconds of the same clock. */
  timedOut(times: { sentAt: number; endedAt: number }): void {
    this.lost.timedOut(times)
    const { sentAt, endedAt } = times
    this.lastMs = endedAt - sentAt
    if (sentAt < this.timedOutAt) return
    this.timeouts += 1
    this.allTimeouts += 1
    this.lastedMs += endedAt - sentAt
    this.timedOutAt = endedAt
  }

  /** Whether the server counts as no longer responding. */
  get isLasting(): boolean {
    return (
      this.timeouts >= maxTimeouts ||
      (this.timeouts >= minTimeouts && (!this.hasResponded || this.lastedMs >= enoughMs)) ||
      (this.allTimeouts >= minTimeouts && this.lost.isTooLong)
    )
  }

  /** States how many timeouts were counted. `messages` names the messages, in the plural. */
  describe(messages: string): string {
    return this.timeouts >= minTimeouts
      ? `${this.timeouts} consecutive ${messages} timed out`
      : `${this.allTimeouts} ${messages} timed out`
  }

  /** States how long the last timeout was: `after 10 s`. */
  get afterTime(): string {
    return `after ${Number((this.lastMs / 1000).toFixed(1))} s`
  }

  /** Returns the timeout of the next message, in milliseconds: long ones shrink in a silence. */
  shorten(timeout: number): number {
    return this.lost.shorten(timeout, this.timeouts)
  }
}
