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

/** Milliseconds between two ticks. */
const step = 10
/**
 * Milliseconds that count at most from one tick to the next. A tick that is later than that was held
 * up by this process, which was busy or did not get a processor: nothing that it waits for can have
 * been late meanwhile.
 */
const most = 2 * step
/** The longest wait that Node's timers know. */
const longest = 2 ** 31 - 1

/** Counts the time in which this process was able to act. */
class ProcessTime {
  private counted = performance.now()
  private last = this.counted
  private waits = 0
  private ticks: NodeJS.Timeout | undefined

  /** Milliseconds; they stand still while the process is held up and something waits. */
  now(): number {
    const elapsed = performance.now() - this.last
    return this.counted + (this.ticks === undefined ? elapsed : Math.min(elapsed, most))
  }

  /** Something waits from now on, until the returned function is called. */
  wait(): () => void {
    this.waits += 1
    if (this.ticks === undefined) {
      this.commit()
      this.ticks = setInterval(() => this.commit(), step).unref()
    }
    return () => {
      this.waits -= 1
      if (this.waits > 0) return
      this.commit()
      clearInterval(this.ticks)
      this.ticks = undefined
    }
  }

  private commit(): void {
    this.counted = this.now()
    this.last = performance.now()
  }
}

/** One for each thread. */
const processTime = new ProcessTime()

/**
 * A clock that runs `speed` times as fast as the wall's, and stands still while this process is held
 * up: on a busy machine all waits last longer by what the process lacked, so that no verdict depends
 * on how busy the machine is.
 */
export function clockOf(speed = 1): Clock {
  const [origin, started] = [Date.now(), processTime.now()]
  const now = () => origin + (processTime.now() - started) * speed
  const after = (milliseconds: number, callback: () => void) => {
    const release = once(processTime.wait())
    const due = now() + milliseconds
    let timer: NodeJS.Timeout
    const arm = (wait: number) => {
      timer = setTimeout(look, Math.min(Math.max(wait, 1), longest))
    }
    const look = () => {
      // Timers keep to whole milliseconds.
      const left = (due - now()) / speed
      if (left >= 1) return arm(left)
      release()
      callback()
    }
    arm(milliseconds / speed)
    return () => {
      clearTimeout(timer)
      release()
    }
  }
  return {
    now,
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

/** The same, called once at most. */
function once(callback: () => void): () => void {
  let isCalled = false
  return () => {
    if (!isCalled) callback()
    isCalled = true
  }
}

export const wallClock: Clock = clockOf(1)
