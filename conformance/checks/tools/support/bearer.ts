/** The token with which the tools checks ask: one for the whole run, and another one when it ends. */
export class Bearer {
  value: string | undefined
  /** How many there have been. */
  turn = 0
  private until = Infinity

  /** `now` in milliseconds since the epoch; `seconds` for which it is good, undefined where nothing tells. */
  set(value: string, now: number, seconds: number | undefined): void {
    this.value = value
    this.until =
      seconds === undefined ? Infinity : now + Math.max(seconds * 500, seconds * 1000 - margin)
    this.turn += 1
  }

  /** Whether it is good for another while. `now` in milliseconds since the epoch. */
  lasts(now: number): boolean {
    return this.value !== undefined && now < this.until
  }

  /** What is sent along. Read anew for each request, since the token may change. */
  get headers(): Record<string, string> {
    return this.value === undefined ? {} : { Authorization: `Bearer ${this.value}` }
  }
}

/** How long a token has to be good yet when something is begun with it, in milliseconds: longer than any single exchange, unless it is short-lived. */
const margin = 60_000
