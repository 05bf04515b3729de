import { expect, test } from 'vitest'
import type { McpExchange } from '../../../wire/index.ts'
import { measureStalls, measureWaits } from './waits.ts'

/** Measures a call that ends after these seconds of the suite's clock and of real time. */
async function measure(
  { suite, real }: { suite: number; real: number },
  failure?: McpExchange['failure'],
): Promise<(number | undefined)[]> {
  let [now, realTime] = [5000, 1000]
  const stalls = measureStalls({ now: () => now }, () => realTime)
  const call = Promise.resolve().then(() => {
    now += suite * 1000
    realTime += real * 1000
    return { milliseconds: suite * 1000, failure } as McpExchange
  })
  const [wait] = await measureWaits([call], stalls)
  return [wait!.atLeast, wait!.atMost].map((time) => time && time / 1000)
}

test.each([
  ['both clocks agree', { suite: 12, real: 12 }, 12],
  ['this process did not run for a part of the timeout', { suite: 22.8, real: 30.4 }, 30],
  ['even real time is too short', { suite: 8, real: 20 }, 20],
  ['this process did not run after the timeout', { suite: 31, real: 55 }, 31],
  ['even the time in which it ran is too long', { suite: 50, real: 61 }, 50],
  ['the suite has a faster clock', { suite: 45, real: 4 }, 45],
])('measures a wait when %s', async (_, times, wait) => {
  expect(await measure(times)).toEqual([wait, wait])
})

test('states no upper bound for a call without a response', async () => {
  expect(await measure({ suite: 60, real: 60 }, 'silent')).toEqual([60, undefined])
})
