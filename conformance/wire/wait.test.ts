import { expect, test } from 'vitest'
import { clockOf } from '../engine/index.ts'
import { waitAtMost } from './wait.ts'

const clock = clockOf(20)

/** The number of timers that keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

const never = new Promise<never>(() => {})

test('resolves to the value of the promise, and stops the timer', async () => {
  const before = timers()
  expect(await waitAtMost(clock, 600_000, Promise.resolve('value'))).toBe('value')
  expect(timers()).toBe(before)
  await expect(waitAtMost(clock, 600_000, Promise.reject(new Error('lost')))).rejects.toThrow(
    'lost',
  )
  expect(timers()).toBe(before)
})

test('ends after the time, or when the run is cancelled', async () => {
  expect(await waitAtMost(clock, 100, never)).toBeUndefined()
  const run = new AbortController()
  const waiting = waitAtMost(clock, 600_000, never, run.signal)
  run.abort()
  expect(await waiting).toBeUndefined()
})
