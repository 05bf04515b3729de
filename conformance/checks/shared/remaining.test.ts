import { expect, test } from 'vitest'
import { describeRemaining } from './remaining.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(301 + index))

test.each([
  [1, '1 hook (as ever): 301'],
  [5, '5 hooks (as ever): 301, 302, 303, 304, 305'],
  [
    501,
    `501 hooks (as ever): ${Array.from({ length: 500 }, (_, index) => 301 + index).join(', ')} and 1 more`,
  ],
])('describes %i remaining hooks in one line', (count, line) => {
  expect(describeRemaining('hook', '(as ever)', ids(count))).toBe(line)
})
