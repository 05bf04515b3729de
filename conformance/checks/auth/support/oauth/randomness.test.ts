import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { looksRandom } from './randomness.ts'

it.each([
  [['state-1041', 'state-1042', 'state-1043'], false],
  [['1763766000123', '1763766000391', '1763766000404'], false],
  [['abc', 'abc', 'abc'], false],
  [
    [
      Buffer.from('{"id":"c","time":1763766000123}').toString('base64'),
      Buffer.from('{"id":"c","time":1763766000391}').toString('base64'),
    ],
    false,
  ],
  [[randomUUID(), randomUUID(), randomUUID()], true],
  [['pKz0aXn4Rw1', 'pQm3cLw8Ty2', 'xGh7bVd5Uj1'], true],
  [['lonely'], true],
])('looksRandom(%j) is %j', (states, expected) => {
  expect(looksRandom(states)).toBe(expected)
})
