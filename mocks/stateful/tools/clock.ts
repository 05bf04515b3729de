import type { Timers } from '../../kit/timers.ts'

/**
 * The clock of the server, which also runs its timeouts. With a faster clock, timeouts are shorter.
 */
export interface ToolsClock extends Timers {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * A counter of milliseconds by which waits are measured; by default `now`. Unlike the time of
   * day, it need not advance while the process is suspended.
   */
  elapsed?(): number
}

/** A clock that can be set ahead. Setting it ahead shortens pending waits accordingly. */
export interface MovableClock extends ToolsClock {
  /** Sets the clock this many milliseconds ahead of its base clock; 0 resets it. */
  setAhead(ahead: number): void
}

/** A pending wait: its end, and how to cancel it. */
interface PendingWait {
  due: number
  callback: () => void
  stop: () => void
}

export function newMovableClock(clock: ToolsClock): MovableClock {
  const waiting = new Set<PendingWait>()
  let ahead = 0
  const now = () => clock.now() + ahead
  const elapsed = () => (clock.elapsed ?? clock.now)() + ahead
  const startTimer = (one: PendingWait) => {
    one.stop = clock.after(Math.max(0, one.due - elapsed()), () => {
      waiting.delete(one)
      one.callback()
    })
  }
  return {
    now,
    after(milliseconds, callback) {
      const one: PendingWait = { due: elapsed() + milliseconds, callback, stop: () => {} }
      waiting.add(one)
      startTimer(one)
      return () => {
        waiting.delete(one)
        one.stop()
      }
    },
    setAhead(newAhead) {
      ahead = newAhead
      for (const one of waiting) {
        one.stop()
        startTimer(one)
      }
    },
  }
}
