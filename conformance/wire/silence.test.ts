import { expect, test } from 'vitest'
import { Silence } from './silence.ts'

/** Lets one message after another time out. Returns how many it takes until the silence lasts. */
function countTimeouts(
  timeout: number,
  silence = new Silence(),
): { timeouts: number; lastedMs: number } {
  let now = 0
  while (!silence.isLasting) {
    const sentAt = now
    now += silence.shorten(timeout)
    silence.timedOut({ sentAt, endedAt: now })
  }
  return { timeouts: silence.timeouts, lastedMs: now }
}

test.for([
  [1000, 5, 5000],
  [10_000, 5, 50_000],
  [30_000, 3, 55_000],
])('after a response, with timeouts of %i ms, %i show a silence', ([timeout, most, lastedMs]) => {
  const silence = new Silence()
  silence.responded()
  expect(countTimeouts(timeout!, silence)).toEqual({ timeouts: most, lastedMs })
})

test('fewer timeouts are enough if the server has never responded', () => {
  expect(countTimeouts(10_000)).toEqual({ timeouts: 3, lastedMs: 30_000 })
})

test('a response ends a silence, and restores the timeout', () => {
  const silence = new Silence()
  for (const sentAt of [0, 30_000]) silence.timedOut({ sentAt, endedAt: sentAt + 30_000 })
  expect(silence.shorten(30_000)).toBe(10_000)
  silence.responded()
  silence.timedOut({ sentAt: 70_000, endedAt: 100_000 })
  expect([silence.isLasting, silence.shorten(30_000)]).toEqual([false, 15_000])
})

test('messages that wait at the same time count once', () => {
  const silence = new Silence()
  for (let message = 0; message < 9; message += 1)
    silence.timedOut({ sentAt: message, endedAt: 60_000 + message })
  expect([silence.timeouts, silence.isLasting]).toEqual([1, false])
})
