/** The access token that checks send to a tool server. A new token replaces an expiring one. */
export class Bearer {
  value: string | undefined
  /** How many tokens have been set. */
  tokenCount = 0
  private validUntil = Infinity

  /**
   * Replaces the token. `now` is in milliseconds since the epoch. `seconds` is the lifetime of the
   * token, or undefined if the lifetime is unknown.
   */
  set(value: string, now: number, seconds: number | undefined): void {
    this.value = value
    this.validUntil =
      seconds === undefined ? Infinity : now + Math.max(seconds * 500, seconds * 1000 - margin)
    this.tokenCount += 1
  }

  /**
   * Whether the token stays valid long enough for a request. `now` is in milliseconds since the
   * epoch.
   */
  isValid(now: number): boolean {
    return this.value !== undefined && now < this.validUntil
  }

  /** The headers that send the token. Read them again for each request: the token can change. */
  get headers(): Record<string, string> {
    return this.value === undefined ? {} : { Authorization: `Bearer ${this.value}` }
  }
}

/**
 * The lifetime that must remain when a token is sent, in milliseconds: longer than any exchange.
 * For a token with a lifetime below two minutes, half of its lifetime must remain.
 */
const margin = 60_000
