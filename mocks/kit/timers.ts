/** What the timeouts of a mock run by. */
export interface Timers {
  /** Calls back after so many milliseconds; the returned function cancels that. */
  after(milliseconds: number, callback: () => void): () => void
}

export const wallTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
