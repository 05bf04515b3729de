/** The token of the tools checks. It is replaced when it expires. */
export class Bearer {
  value: string | undefined
  /** How many tokens have been set. */
  tokenCount = 0
  private validUntil = Infinity

  /** `now` is in milliseconds since the epoch; `seconds` is the lifetime, undefined if unknown. */
  set(value: string, now: number, seconds: number | undefined): void {
    this.value = value
    this.validUntil =
      seconds === undefined ? Infinity : now + Math.max(seconds * 500, seconds * 1000 - margin)
    this.tokenCount += 1
  }

  /** Whether the token stays valid for a while. `now` is in milliseconds since the epoch. */
  isValid(now: number): boolean {
    return this.value !== undefined && now < this.validUntil
  }

  /** Read again for each request, because the token may change. */
  get headers(): Record<string, string> {
    return this.value === undefined ? {} : { Authorization: `Bearer ${this.value}` }
  }
}

/**
 * The remaining lifetime that a request needs, in milliseconds: longer than any exchange. For a
 * short-lived token it is half of its lifetime.
 */
const margin = 60_000
