import { expect, test } from 'vitest'
import { findDifferences } from './outcomes.ts'

test('finds outcomes that differ, and checks without a verdict in one of the runs', () => {
  const first = new Map([
    ['same', 'pass'],
    ['other', 'pass'],
    ['missing', 'observed'],
  ] as const)
  const later = new Map([
    ['new', 'pass'],
    ['other', 'fail'],
    ['same', 'pass'],
  ] as const)
  expect(findDifferences(first, later)).toEqual([
    { key: 'other', expected: 'pass', received: 'fail' },
    { key: 'missing', expected: 'observed', received: undefined },
    { key: 'new', expected: undefined, received: 'pass' },
  ])
})
