import type { Clock } from '../engine/index.ts'

/** The first pause after a 429 without Retry-After, in milliseconds. */
const firstPauseMs = 250

/**
 * Delays requests while a target limits their rate. Each operation has its own pause, because
 * services limit some operations more than others. All pauses together last at most `maxMs`
 * milliseconds. Consecutive pauses of an operation for which the target names no time last at most
 * half of that.
 */
export class RateLimit {
  private readonly clock: Clock
  private readonly maxMs: number
  private readonly operations = new Map<string, { until: number; refusals: number }>()
  private spentMs = 0
  /** When the last pause of any operation ends. Simultaneous pauses count once. */
  private lastUntil = 0

  constructor(clock: Clock, maxMs: number) {
    this.clock = clock
    this.maxMs = maxMs
  }

  /** Whether requests of the operation must not be sent now. */
  isPaused(operation: string): boolean {
    return (this.operations.get(operation)?.until ?? 0) > this.clock.now()
  }

  /** Resolves when requests of the operation may be sent, or when the signal aborts. */
  async waitForPause(operation: string, signal?: AbortSignal): Promise<void> {
    while (this.isPaused(operation) && signal?.aborted !== true)
      await this.clock.sleep(
        this.operations.get(operation)!.until - this.clock.now(),
        signal,
        `the end of the rate limit for ${operation} (status 429)`,
      )
  }

  /**
   * Records that a request got a response other than 429. The next pause of the operation is short
   * again.
   */
  accepted(operation: string): void {
    const known = this.operations.get(operation)
    if (known !== undefined) known.refusals = 0
  }

  /**
   * Pauses an operation after a 429 to a request that was sent at `sentAt`. Returns false, and does
   * not pause, if all pauses together would last too long.
   */
  refused(operation: string, sentAt: number, retryAfterMs: number | undefined): boolean {
    const now = this.clock.now()
    const { until, refusals } = this.operations.get(operation) ?? { until: 0, refusals: 0 }
    // A request that was sent before the last pause ended shows nothing new.
    const isNew = until <= sentAt
    const earlier = Math.max(0, isNew ? refusals : refusals - 1)
    const backoff = retryAfterMs !== undefined && earlier === 0 ? 0 : this.backoffAfter(earlier)
    if (backoff <= 0 && (earlier > 0 || retryAfterMs === undefined)) return false
    const pause = Math.max(backoff, retryAfterMs ?? 0)
    const next = Math.max(until, now + pause)
    const added = next - Math.max(now, this.lastUntil)
    if (this.spentMs + Math.max(0, added) > this.maxMs) return false
    this.spentMs += Math.max(0, added)
    this.lastUntil = Math.max(this.lastUntil, next)
    this.operations.set(operation, { until: next, refusals: isNew ? refusals + 1 : refusals })
    return true
  }

  /** The pause after a number of earlier refusals, in milliseconds; 0 or less if none is left. */
  private backoffAfter(refusals: number): number {
    const earlierPauses = firstPauseMs * (2 ** refusals - 1)
    return Math.min(firstPauseMs * 2 ** refusals, this.maxMs / 2 - earlierPauses)
  }
}

/**
 * Returns how many milliseconds a Retry-After header asks for. A date is compared with the target's
 * own `Date`, because the clocks may differ. Undefined if the header is missing or invalid.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(
  headers: readonly (readonly [string, string])[],
  now: number,
): number | undefined {
  const find = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1].trim()
  const value = find('retry-after')
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  if (Number.isNaN(date)) return undefined
  const theirNow = Date.parse(find('date') ?? '')
  return Math.max(0, date - (Number.isNaN(theirNow) ? now : theirNow))
}
