import { expect, test } from 'vitest'
import { describeRemaining } from './remaining.ts'

const ids = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, index) => `${prefix}${301 + index}`)

test.each([
  [['301'], '1 hook (as ever): 301'],
  [['302', '301', '304'], '3 hooks (as ever): 301, 302, 304'],
  [['303', '99', '301', '302', 'b', 'a'], '6 hooks (as ever): 99, 301 to 303, a, b'],
  [ids(600), '600 hooks (as ever): 301 to 900'],
  [ids(502, 'x'), `502 hooks (as ever): ${ids(500, 'x').join(', ')} and 2 more`],
  [
    ['9007199254740993', '9007199254740992'],
    '2 hooks (as ever): 9007199254740992, 9007199254740993',
  ],
])('describes the remaining hooks %j in one line', (remaining, line) => {
  expect(describeRemaining('hook', '(as ever)', remaining)).toBe(line)
})
