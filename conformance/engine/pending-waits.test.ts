import { expect, test, vi } from 'vitest'
import { PendingWaits } from './pending-waits.ts'
import type { Clock } from './clock.ts'

/** A clock on which time passes only by `advance`. */
function manualClock() {
  let now = 0
  const due = new Map<() => void, number>()
  const after: Clock['after'] = (milliseconds, callback) => {
    due.set(callback, now + milliseconds)
    return () => void due.delete(callback)
  }
  const clock: Clock = {
    now: () => now,
    realTime: () => now,
    after,
    sleep: (milliseconds) => new Promise((resolve) => after(milliseconds, resolve)),
  }
  const advance = (milliseconds: number) => {
    now += milliseconds
    for (const [callback, at] of due) if (at <= now && due.delete(callback)) callback()
  }
  return { clock, advance }
}

test('names the wait that ends first, with the time that is left', () => {
  const { clock, advance } = manualClock()
  const waits = new PendingWaits(clock)
  const end = vi.fn()
  waits.clock.after(30_000, end, 'tools/call slow')
  const stop = waits.clock.after(10_000, end, 'a delivery')
  advance(4000)
  expect(waits.next).toEqual({ purpose: 'a delivery', limitMs: 10_000, leftMs: 6000 })
  stop()
  expect(waits.next).toEqual({ purpose: 'tools/call slow', limitMs: 30_000, leftMs: 26_000 })
  advance(26_000)
  expect(end).toHaveBeenCalledTimes(1)
  expect(waits.next).toBeUndefined()
})

test('forgets a pause when it is over', async () => {
  const { clock, advance } = manualClock()
  const waits = new PendingWaits(clock)
  const pause = waits.clock.sleep(5000, undefined, 'the expiry of a token')
  expect(waits.next?.purpose).toBe('the expiry of a token')
  advance(5000)
  await pause
  expect(waits.next).toBeUndefined()
})

test('ignores short waits, and waits without a purpose', () => {
  const waits = new PendingWaits(manualClock().clock)
  waits.clock.after(1000, () => {}, 'a short pause')
  waits.clock.after(60_000, () => {})
  expect(waits.next).toBeUndefined()
})
