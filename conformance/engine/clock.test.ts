import { expect, test } from 'vitest'
import { clockOf } from './clock.ts'

/** Blocks the event loop, like a machine without a free processor. */
function holdUp(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

test('a wait ends after its time', async () => {
  const clock = clockOf(20)
  const before = clock.now()
  await clock.sleep(1000)
  expect(clock.now() - before).toBeGreaterThan(900)
})

test('time in which the process could not run does not count', async () => {
  const clock = clockOf(1)
  const before = clock.now()
  let isOver = false
  const stop = clock.after(300, () => (isOver = true))
  for (let count = 0; count < 4; count += 1) {
    holdUp(100)
    await turn()
  }
  expect(isOver).toBe(false)
  expect(clock.now() - before).toBeLessThan(300)
  stop()
})

test('a cancelled wait does not call back', async () => {
  const clock = clockOf(20)
  let calls = 0
  clock.after(20, () => (calls += 1))()
  await clock.sleep(200)
  expect(calls).toBe(0)
})

test('a signal ends a wait', async () => {
  const cancellation = new AbortController()
  const slept = clockOf(1).sleep(1e9, cancellation.signal)
  cancellation.abort()
  await slept
})

test('a wait can be longer than the longest timer', async () => {
  let isOver = false
  const stop = clockOf(1).after(1e12, () => (isOver = true))
  await turn()
  await turn()
  stop()
  expect(isOver).toBe(false)
})
