import type { Clock } from '../engine/index.ts'

/** Waits for a promise, but for at most this many milliseconds. */
export async function waitAtMost(
  clock: Clock,
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([promise, clock.sleep(milliseconds, waiting.signal)])
  waiting.abort()
}
