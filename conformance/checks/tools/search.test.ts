import { expect, test } from 'vitest'
import { judgeSearch } from './search.testing.ts'

// The first page shows the total. The check then reads pages of three items.
test.for([
  ['while the pages are read', [3], 'pass'],
  ['after every page', Array.from({ length: 200 }, (_, at) => at), 'fail'],
] as const)('an item moves %s', async ([, moves, verdict]) => {
  expect(await judgeSearch('TOOL-PAGE-07', { moves })).toBe(verdict)
})

test.for([
  [12, 50, 'not covered'],
  [12, 10, 'fail'],
  [30, 50, 'fail'],
  [30, 20, 'pass'],
] as const)(
  'of %i items, %i are returned by default: %s',
  async ([count, defaultLimit, verdict]) => {
    expect(await judgeSearch('TOOL-LIMIT-02', { count, defaultLimit })).toBe(verdict)
  },
)
