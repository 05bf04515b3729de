import type { Clock } from './clock.ts'

/** Something that a run waits for, at most for a limited time. */
export interface PendingWait {
  /** Completes the phrase "waiting for": `the response to getImage`. */
  readonly purpose: string
  /** The time limit in milliseconds. */
  readonly limitMs: number
  /** How much of that time is left, in milliseconds. */
  readonly leftMs: number
}

/** Shorter waits are not worth mentioning, in milliseconds. */
const minLimitMs = 2000

/** Knows what a run waits for at the moment, so that the progress of the run can name it. */
export class PendingWaits {
  /** The run must use this clock. */
  readonly clock: Clock
  private readonly pending = new Set<{ purpose: string; limitMs: number; due: number }>()

  /** `clock` measures the time. */
  constructor(clock: Clock) {
    this.clock = {
      now: () => clock.now(),
      realTime: () => clock.realTime(),
      after: (milliseconds, callback, purpose) => {
        const forget = this.add(milliseconds, purpose)
        const stop = clock.after(milliseconds, () => {
          forget()
          callback()
        })
        return () => {
          forget()
          stop()
        }
      },
      sleep: async (milliseconds, signal, purpose) => {
        const forget = this.add(milliseconds, purpose)
        await clock.sleep(milliseconds, signal)
        forget()
      },
    }
  }

  /** Returns the wait that ends first; undefined if there is only work, or only short waits. */
  get next(): PendingWait | undefined {
    let first: { purpose: string; limitMs: number; due: number } | undefined
    for (const wait of this.pending) if (first === undefined || wait.due < first.due) first = wait
    if (first === undefined) return undefined
    const { purpose, limitMs, due } = first
    return { purpose, limitMs, leftMs: Math.max(0, due - this.clock.now()) }
  }

  private add(limitMs: number, purpose: string | undefined): () => void {
    if (purpose === undefined || limitMs < minLimitMs) return () => {}
    const wait = { purpose, limitMs, due: this.clock.now() + limitMs }
    this.pending.add(wait)
    return () => void this.pending.delete(wait)
  }
}
