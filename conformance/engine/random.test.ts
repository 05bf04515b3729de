import { describe, expect, test } from 'vitest'
import { newSeed, Random } from './random.ts'

const draw = (seed: string) => {
  const random = new Random(seed)
  return Array.from({ length: 20 }, () => random.int(10, 1000))
}

describe('Random', () => {
  test('returns the same values for the same seed, and different values for a different seed', () => {
    expect(draw('1 a')).toEqual(draw('1 a'))
    expect(draw('1 a')).not.toEqual(draw('1 b'))
    expect(new Set(draw('1 a')).size).toBeGreaterThan(10)
  })

  test('returns every value of a range, and none outside of it', () => {
    const random = new Random('range')
    const values = new Set(Array.from({ length: 200 }, () => random.int(3, 6)))
    expect([...values].sort()).toEqual([3, 4, 5])
  })

  test('makes strings of letters', () => {
    expect(new Random('letters').letters(30)).toMatch(/^[a-z]{30}$/)
  })
})

test('a new seed is a positive 31-bit integer', () => {
  const seed = newSeed()
  expect(Number.isInteger(seed) && seed >= 1 && seed < 2 ** 31).toBe(true)
})
