/** Runs the timeouts of a mock. */
export interface Timers {
  /** Calls back after this many milliseconds. The returned function cancels that. */
  after(milliseconds: number, callback: () => void): () => void
}

/** Timers in real time. */
export const wallTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
