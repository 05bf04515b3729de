/** Runs the timeouts of a mock. */
export interface Timers {
  /** Calls `callback` after this many milliseconds. The returned function cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void
}

/** Timers in real time. */
export const wallTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
