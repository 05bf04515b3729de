import type { Clock } from '../engine/index.ts'

/** Waits for something, so many milliseconds at most. */
export async function waitAtMost(
  clock: Clock,
  milliseconds: number,
  something: Promise<unknown>,
): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([something, clock.sleep(milliseconds, waiting.signal)])
  waiting.abort()
}
