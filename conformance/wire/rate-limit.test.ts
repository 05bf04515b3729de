import { describe, expect, test } from 'vitest'
import type { Clock } from '../engine/index.ts'
import { RateLimit, readRetryAfter } from './rate-limit.ts'

/** A clock whose time advances only in `sleep`. */
function newTestClock(): Clock {
  let now = 0
  return {
    now: () => now,
    realTime: () => now,
    after: () => () => undefined,
    sleep: (milliseconds) => Promise.resolve(void (now += milliseconds)),
  }
}

describe('the rate limit of a target', () => {
  test('pauses an operation as long as the target asks for, and no other operation', async () => {
    const clock = newTestClock()
    const limit = new RateLimit(clock, 120_000)
    expect(limit.refused('test', 0, 60_000)).toBe(true)
    expect([limit.isPaused('test'), limit.isPaused('create')]).toEqual([true, false])
    await limit.waitForPause('test')
    expect([clock.now(), limit.isPaused('test')]).toEqual([60_000, false])
  })

  test('doubles its own pauses until a request is accepted', async () => {
    const clock = newTestClock()
    const limit = new RateLimit(clock, 120_000)
    const pauses: number[] = []
    for (const isAccepted of [false, false, false, true, false]) {
      if (isAccepted) limit.accepted('test')
      const sentAt = clock.now()
      limit.refused('test', sentAt, undefined)
      await limit.waitForPause('test')
      pauses.push(clock.now() - sentAt)
    }
    expect(pauses).toEqual([250, 500, 1000, 250, 500])
  })

  test('ends its own pauses after half of the longest time', async () => {
    const clock = newTestClock()
    const limit = new RateLimit(clock, 120_000)
    let isRepeated = true
    while (isRepeated) {
      isRepeated = limit.refused('test', clock.now(), undefined)
      await limit.waitForPause('test')
    }
    expect(clock.now()).toBe(60_000)
  })

  test('counts refusals of concurrent requests as one', async () => {
    const clock = newTestClock()
    const limit = new RateLimit(clock, 10_000)
    await clock.sleep(100)
    for (let request = 0; request < 8; request += 1)
      expect(limit.refused('test', 50, 10_000)).toBe(true)
    await limit.waitForPause('test')
    expect(clock.now()).toBe(10_100)
  })

  test('refuses a pause with which all pauses together would be too long', () => {
    const limit = new RateLimit(newTestClock(), 120_000)
    expect([
      limit.refused('test', 0, 3600_000),
      limit.refused('test', 0, 100_000),
      limit.refused('create', 0, 110_000),
      limit.refused('list', 0, 130_000),
    ]).toEqual([false, true, true, false])
  })
})

test.each<[string, [string, string][], number | undefined]>([
  ['seconds', [['Retry-After', '7']], 7000],
  ['no header', [], undefined],
  ['neither a number nor a date', [['retry-after', 'soon']], undefined],
  ['a past date', [['Retry-After', 'Wed, 21 Oct 2015 07:28:00 GMT']], 0],
  [
    'a date, by the clock of the target',
    [
      ['Date', 'Wed, 21 Oct 2015 07:28:00 GMT'],
      ['Retry-After', 'Wed, 21 Oct 2015 07:28:30 GMT'],
    ],
    30_000,
  ],
])('Retry-After is read: %s', (_, headers, expected) => {
  expect(readRetryAfter(headers, Date.UTC(2026, 0, 1))).toBe(expected)
})
