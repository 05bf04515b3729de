import type { Clock } from '../engine/index.ts'

/** After a run is cancelled, exchanges that create nothing may last this many milliseconds. */
export const cancelGraceMs = 1000

/**
 * Calls back `cancelGraceMs` after the signal aborts, or after now if it has aborted already. The
 * returned function prevents the call.
 */
export function afterCancel(
  clock: Clock,
  signal: AbortSignal | undefined,
  callback: () => void,
): () => void {
  let stop = () => {}
  const start = () => {
    stop = clock.after(cancelGraceMs, callback)
  }
  if (signal?.aborted === true) start()
  else signal?.addEventListener('abort', start, { once: true })
  return () => {
    signal?.removeEventListener('abort', start)
    stop()
  }
}

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
