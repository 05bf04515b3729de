/** Where waiting comes from. The proof gives a clock that runs faster than the wall's. */
export interface Clock {
  /** Milliseconds since the epoch, as this clock runs: for measuring and waiting. */
  now(): number
  /** The same, as it is: for what is told to a target. */
  today(): number
  /** Resolves after so many milliseconds of this clock, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls back after so many milliseconds of this clock; the returned function calls it off. */
  after(milliseconds: number, callback: () => void): () => void
}

/** A clock that runs `speed` times as fast as the wall's. */
export function clockOf(speed = 1): Clock {
  const origin = Date.now()
  const after = (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds / speed)
    return () => clearTimeout(timer)
  }
  return {
    now: () => origin + (Date.now() - origin) * speed,
    today: Date.now,
    after,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || milliseconds <= 0) return resolve()
        const stop = after(milliseconds, done)
        signal?.addEventListener('abort', done, { once: true })
        function done() {
          stop()
          signal?.removeEventListener('abort', done)
          resolve()
        }
      }),
  }
}

export const wallClock: Clock = clockOf(1)
