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

/** The shortest time, in milliseconds, to which repeated timeouts reduce a timeout. */
const shortestMs = 10_000

/** Counts the consecutive messages to which a server did not respond completely. */
export class Silence {
  /** How many consecutive messages timed out. */
  timeouts = 0
  private lastedMs = 0
  private hasResponded = false
  private timedOutAt = -Infinity

  /** Records a complete response. */
  responded(): void {
    this.hasResponded = true
    this.timeouts = 0
    this.lastedMs = 0
  }

  /** Records that a message timed out. Both times are in milliseconds of the same clock. */
  timedOut({ sentAt, endedAt }: { sentAt: number; endedAt: number }): void {
    if (sentAt < this.timedOutAt) return
    this.timeouts += 1
    this.lastedMs += endedAt - sentAt
    this.timedOutAt = endedAt
  }

  /** Whether the server counts as no longer responding. */
  get isLasting(): boolean {
    return (
      this.timeouts >= maxTimeouts ||
      (this.timeouts >= minTimeouts && (!this.hasResponded || this.lastedMs >= enoughMs))
    )
  }

  /** Returns the timeout of the next message, in milliseconds: long ones shrink in a silence. */
  shorten(timeout: number): number {
    return Math.min(timeout, Math.max(shortestMs, timeout / (this.timeouts + 1)))
  }
}
