import { speed } from './speed.ts'

/** Milliseconds of real time in a second of the proof's clock. */
export const secondMs = 1000 / speed

/** Counts calls in windows of time, like a service with a rate limit. */
export class RateWindow {
  private readonly limit: number
  private readonly milliseconds: number
  private endsAt = 0
  private count = 0

  constructor(limit: number, seconds: number) {
    this.limit = limit
    this.milliseconds = seconds * secondMs
  }

  /**
   * Counts a call. Returns false if the window already contains as many calls as the limit allows.
   */
  accepts(): boolean {
    const now = performance.now()
    if (now >= this.endsAt) {
      this.endsAt = now + this.milliseconds
      this.count = 0
    }
    if (this.count >= this.limit) return false
    this.count += 1
    return true
  }
}
