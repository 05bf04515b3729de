import type { Timers } from '../../kit/timers.ts'

/** Where the server's time comes from. A clock that runs faster shortens its time-outs. */
export interface ToolsClock extends Timers {
  /** Milliseconds since the epoch. */
  now(): number
}

/** A clock that can be set ahead: what waits for it waits for so much less. */
export interface MovableClock extends ToolsClock {
  /** Sets it so many milliseconds ahead of the clock that it stands on; 0 puts it back. */
  move(ahead: number): void
}

/** What waits: when it is over, and how to call that off. */
interface Waiting {
  due: number
  callback: () => void
  stop: () => void
}

export function movable(clock: ToolsClock): MovableClock {
  const waiting = new Set<Waiting>()
  let ahead = 0
  const now = () => clock.now() + ahead
  const begin = (one: Waiting) => {
    one.stop = clock.after(Math.max(0, one.due - now()), () => {
      waiting.delete(one)
      one.callback()
    })
  }
  return {
    now,
    after(milliseconds, callback) {
      const one: Waiting = { due: now() + milliseconds, callback, stop: () => {} }
      waiting.add(one)
      begin(one)
      return () => {
        waiting.delete(one)
        one.stop()
      }
    },
    move(wanted) {
      ahead = wanted
      for (const one of waiting) {
        one.stop()
        begin(one)
      }
    },
  }
}
