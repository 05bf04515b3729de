import { processClock, type Clock } from './clock.ts'

/** Limits the number of concurrent requests. Requests of earlier checks go first. */
export interface Gate {
  /**
   * Resolves when the caller may send a request. The result is a function, which the caller must
   * call when it has the response.
   */
  enter(priority: number): Promise<() => void>
  readonly concurrency: number
}

export interface GateOptions {
  /** Maximum number of concurrent requests. */
  concurrency: number
  /** Milliseconds between the starts of two requests. */
  pace?: number
  clock?: Clock
}

export function newGate({ concurrency, pace = 0, clock = processClock }: GateOptions): Gate {
  const waiting: { priority: number; open: (leave: () => void) => void }[] = []
  let running = 0
  let nextStart = 0
  let timer: (() => void) | undefined

  function startWaiting(): void {
    while (waiting.length > 0 && running < concurrency) {
      const wait = nextStart - clock.now()
      if (pace > 0 && wait > 0) {
        timer ??= clock.after(wait, () => {
          timer = undefined
          startWaiting()
        })
        return
      }
      nextStart = clock.now() + pace
      running += 1
      waiting.shift()!.open(leaveOnce())
    }
  }

  function leaveOnce(): () => void {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      running -= 1
      startWaiting()
    }
  }

  return {
    concurrency,
    enter: (priority) =>
      new Promise((open) => {
        // Inserts the request after all others of the same priority, so that the requests of one
        // check keep their order.
        let index = waiting.length
        while (index > 0 && waiting[index - 1]!.priority > priority) index -= 1
        waiting.splice(index, 0, { priority, open })
        startWaiting()
      }),
  }
}
