/**
 * After this many consecutive timeouts, a server counts as no longer responding. A message counts
 * only if it was sent after the one before it had timed out: if messages wait at the same time, a
 * busy machine may be the reason.
 */
export const maxTimeouts = 5

/** Counts the consecutive messages to which a server did not respond. */
export class Silence {
  private timeouts = 0
  private timedOutAt = -Infinity

  /** Records a response. */
  responded(): void {
    this.timeouts = 0
  }

  /** Records that a message timed out. Both times are in milliseconds of the same clock. */
  timedOut({ sentAt, endedAt }: { sentAt: number; endedAt: number }): void {
    if (sentAt < this.timedOutAt) return
    this.timeouts += 1
    this.timedOutAt = endedAt
  }

  /** Whether the server counts as no longer responding. */
  get isLasting(): boolean {
    return this.timeouts >= maxTimeouts
  }
}
