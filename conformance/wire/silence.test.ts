import { describe, expect, test } from 'vitest'
import { LostTime } from './lost-time.ts'
import { Silence } from './silence.ts'

const newSilence = (userTimeout = 10_000) => new Silence(new LostTime(userTimeout))

/** Lets one message after another time out. Returns how many it takes until the silence lasts. */
function countTimeouts(
  timeout: number,
  silence = newSilence(),
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
  [10_000, 5, 42_000],
  [30_000, 5, 51_000],
])('after a response, with timeouts of %i ms, %i show a silence', ([timeout, most, lastedMs]) => {
  const silence = newSilence()
  silence.responded()
  expect(countTimeouts(timeout!, silence)).toEqual({ timeouts: most, lastedMs })
})

test('fewer timeouts are enough if the server has never responded', () => {
  expect(countTimeouts(10_000)).toEqual({ timeouts: 3, lastedMs: 30_000 })
})

test('a response ends a silence', () => {
  const silence = newSilence()
  for (let sentAt = 0; sentAt < 40_000; sentAt += 10_000)
    silence.timedOut({ sentAt, endedAt: sentAt + 5000 })
  silence.responded()
  silence.timedOut({ sentAt: 50_000, endedAt: 51_000 })
  expect([silence.timeouts, silence.isLasting]).toEqual([1, false])
})

test('a response restores the timeout if little time is lost', () => {
  const silence = newSilence()
  silence.timedOut({ sentAt: 0, endedAt: 15_000 })
  expect(silence.shorten(30_000)).toBe(15_000)
  silence.responded()
  expect(silence.shorten(30_000)).toBe(30_000)
  silence.timedOut({ sentAt: 15_000, endedAt: 30_000 })
  silence.responded()
  expect(silence.shorten(30_000)).toBe(15_000)
})

test('servers share the time that a run may lose', () => {
  const lost = new LostTime(10_000)
  const [silent, other, third] = [new Silence(lost), new Silence(lost), new Silence(lost)]
  for (const sentAt of [0, 11_000, 22_000]) {
    for (const one of [silent, other]) {
      one.responded()
      one.timedOut({ sentAt, endedAt: sentAt + 10_000 })
    }
  }
  expect([silent, other, third].map(({ isLasting }) => isLasting)).toEqual([false, false, false])
  for (const one of [silent, third])
    for (const sentAt of [33_000, 44_000]) one.timedOut({ sentAt, endedAt: sentAt + 10_000 })
  expect([silent, other, third].map(({ isLasting }) => isLasting)).toEqual([true, true, false])
})

describe('timeouts between which the server responds', () => {
  /** Every second message times out. Returns the timeouts until the server counts as silent. */
  function listTimeouts(timeout: number, responseMs: number, userTimeout = 10_000): number[] {
    const silence = newSilence(userTimeout)
    const timeouts: number[] = []
    let now = 0
    while (!silence.isLasting) {
      silence.responded(responseMs)
      const lasted = silence.shorten(timeout)
      silence.timedOut({ sentAt: now, endedAt: now + lasted })
      now += lasted
      timeouts.push(lasted / 1000)
    }
    expect(silence.describe('requests')).toBe(`${timeouts.length} requests timed out`)
    return timeouts
  }

  test('are shortened, and together last about a minute', () => {
    expect(listTimeouts(10_000, 20)).toEqual([10, 10, 10, 10, 2, 2, 2, 2, 2])
    expect(listTimeouts(30_000, 20)).toEqual([30, 15, 2, 2, 2])
  })

  test('are not shorter than ten times the slowest response', () => {
    expect(listTimeouts(30_000, 2500)).toEqual([30, 25, 25])
  })

  test('can last longer if the timeout of the user is longer', () => {
    const timeouts = listTimeouts(120_000, 20, 120_000)
    expect(timeouts.slice(0, 4)).toEqual([120, 60, 60, 40])
    expect(timeouts.reduce((sum, seconds) => sum + seconds)).toBe(5 * 120)
  })

  test('are many if they are short', () => {
    expect(listTimeouts(1000, 20)).toHaveLength(50)
  })
})

test('messages that wait at the same time count once', () => {
  const silence = newSilence()
  for (let message = 0; message < 9; message += 1)
    silence.timedOut({ sentAt: message, endedAt: 60_000 + message })
  expect([silence.timeouts, silence.isLasting]).toEqual([1, false])
})
