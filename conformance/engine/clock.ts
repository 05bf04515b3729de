/** Measures time and waits. The tests of the checks use a clock that is faster than real time. */
export interface Clock {
  /** Milliseconds since the epoch on this clock. Use them to measure time and to wait. */
  now(): number
  /** Milliseconds since the epoch in real time, for values that are sent to a target. */
  realTime(): number
  /**
   * Resolves after this many milliseconds of this clock, or as soon as the signal aborts. `purpose`
   * is as in `after`.
   */
  sleep(milliseconds: number, signal?: AbortSignal, purpose?: string): Promise<void>
  /**
   * Calls back after this many milliseconds of this clock. The returned function cancels the wait,
   * so that there is no call. `purpose` names what the wait is for, as in `PendingWait`; without
   * it, the progress of the run does not mention the wait.
   */
  after(milliseconds: number, callback: () => void, purpose?: string): () => void
}

/** Milliseconds between two ticks. */
const tickMs = 10
/**
 * The most milliseconds that are counted between two ticks. If a tick is late, this process could
 * not run, and could not receive the data that it waits for.
 */
const maxTickMs = 2 * tickMs
/** The longest delay that a Node timer accepts, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1

/** Counts the time in which this process was able to run. */
class ProcessTime {
  private counted = performance.now()
  private last = this.counted
  private waits = 0
  private ticks: NodeJS.Timeout | undefined

  /**
   * Returns milliseconds, without the time in which the process could not run while a wait was
   * pending.
   */
  now(): number {
    const elapsed = performance.now() - this.last
    return this.counted + (this.ticks === undefined ? elapsed : Math.min(elapsed, maxTickMs))
  }

  /** Starts a wait, which is pending until the returned function is called. */
  wait(): () => void {
    this.waits += 1
    if (this.ticks === undefined) {
      this.commit()
      this.ticks = setInterval(() => this.commit(), tickMs).unref()
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

/** The process time of this thread. */
const processTime = new ProcessTime()

/**
 * Makes a clock that runs `speed` times as fast as real time, and stops while this process cannot
 * run. Therefore no verdict depends on how busy the machine is.
 */
export function clockOf(speed = 1): Clock {
  const [origin, started] = [Date.now(), processTime.now()]
  const now = () => origin + (processTime.now() - started) * speed
  const after = (milliseconds: number, callback: () => void) => {
    const release = once(processTime.wait())
    const due = now() + milliseconds
    let timer: NodeJS.Timeout
    const arm = (wait: number) => {
      timer = setTimeout(look, Math.min(Math.max(wait, 1), maxTimerMs))
    }
    const look = () => {
      // Node rounds timers to whole milliseconds, so a rest below one millisecond counts as
      // elapsed.
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
    realTime: Date.now,
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

/** Limits a callback to one call. */
function once(callback: () => void): () => void {
  let isCalled = false
  return () => {
    if (!isCalled) callback()
    isCalled = true
  }
}

/** Runs at the speed of real time, and stops while this process cannot run. */
export const processClock: Clock = clockOf(1)
