import { describe, expect, test } from 'vitest'
import { isFarFrom, millisecondsBetween, readTime } from './times.ts'

const now = Date.UTC(2026, 10, 23, 14, 5, 6, 700)
const seconds = now / 1000

describe('times', () => {
  test.each([
    ['2026-11-23T14:05:06.700Z', true],
    ['2026-11-23T14:05:06.700000000Z', true],
    ['2026-11-23 14:05:06,7', false],
    ['20261123T140506.7Z', true],
    ['2026-11-23T19:50:06.7+05:45', true],
    ['2026-11-23T11:05:06.700-0300', true],
    ['2026-11-23 14:05:06.7 UTC', true],
    [String(seconds), true],
    [String(now), true],
    [String(now * 1000), true],
    [`${now}000000`, true],
    // Intervals of 100 ns since 1601.
    [`${now + 11_644_473_600_000}0000`, true],
  ])('are read from %s', (text, hasZone) => {
    const time = readTime(text, now)!
    expect(Math.abs(time.at - now)).toBeLessThan(1)
    expect(time.hasZone).toBe(hasZone)
    expect(isFarFrom(text, now)).toBe(false)
  })

  test.each(['Mon, 23 Nov 2026 14:05:06 GMT', '23 November 2026, 02:05:06 PM UTC'])(
    'are read from %s, to the second',
    (text) => {
      expect(readTime(text, now)).toEqual({ at: now - 700, hasZone: true })
    },
  )

  test('are not read from long text', () => {
    expect(readTime(`${'a'.repeat(1_000_000)}14:05:06`, now)).toBeUndefined()
  })

  test.each(['', 'now', 'nine o clock', 'yyyy-MM-dd HH:mm:ss', '14:05', '2026-13-45T14:05:06Z'])(
    'are not read from "%s"',
    (text) => {
      expect(readTime(text, now)).toBeUndefined()
      expect(isFarFrom(text, now)).toBe(false)
    },
  )

  test.each(['1970-01-01T00:00:00Z', '-1234567890', '42', '2028-11-23T14:05:06Z'])(
    '%s is far from now',
    (text) => {
      expect(isFarFrom(text, now)).toBe(true)
    },
  )

  test('without a zone are compared without whole hours', () => {
    const [before, after] = [
      { at: 0, hasZone: false },
      { at: -3_599_000, hasZone: false },
    ] as const
    expect(millisecondsBetween(before, after)).toBe(1000)
    expect(millisecondsBetween({ ...before, hasZone: true }, { ...after, hasZone: true })).toBe(
      -3_599_000,
    )
  })
})
