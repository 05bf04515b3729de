import type { Clock } from '../engine/index.ts'

/**
 * Waits for a promise, but for at most this many milliseconds. Resolves to its value, or to
 * undefined. Stops the timer, which would otherwise keep the process alive.
 */
export async function waitAtMost<T>(
  clock: Clock,
  milliseconds: number,
  promise: Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const waiting = new AbortController()
  const either = signal === undefined ? waiting.signal : AbortSignal.any([signal, waiting.signal])
  try {
    return await Promise.race([promise, clock.sleep(milliseconds, either).then(() => undefined)])
  } finally {
    waiting.abort()
  }
}
