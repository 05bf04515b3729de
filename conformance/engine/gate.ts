import { wallClock, type Clock } from './clock.ts'

/** Lets a bounded number of requests out at a time, those of the earlier checks first, with a pause between their starts where one is asked for. */
export interface Gate {
  /** Resolves when the caller may send; the function it gives must be called when the answer is in. */
  enter(priority: number): Promise<() => void>
  readonly concurrency: number
}

export interface GateOptions {
  /** Requests under way at once. */
  concurrency: number
  /** Milliseconds between the starts of two requests. */
  pace?: number
  clock?: Clock
}

export function gateOf({ concurrency, pace = 0, clock = wallClock }: GateOptions): Gate {
  const waiting: { priority: number; open: (leave: () => void) => void }[] = []
  let underWay = 0
  let nextStart = 0
  let timer: (() => void) | undefined

  function pump(): void {
    while (waiting.length > 0 && underWay < concurrency) {
      const wait = nextStart - clock.now()
      if (pace > 0 && wait > 0) {
        timer ??= clock.after(wait, () => {
          timer = undefined
          pump()
        })
        return
      }
      nextStart = clock.now() + pace
      underWay += 1
      waiting.shift()!.open(leaveOnce())
    }
  }

  function leaveOnce(): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      underWay -= 1
      pump()
    }
  }

  return {
    concurrency,
    enter: (priority) =>
      new Promise((open) => {
        // Behind all of the same priority: a check's own requests keep their order.
        let place = waiting.length
        while (place > 0 && waiting[place - 1]!.priority > priority) place -= 1
        waiting.splice(place, 0, { priority, open })
        pump()
      }),
  }
}
