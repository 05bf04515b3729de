import { expect, test } from 'vitest'
import { Screen } from './screen.ts'

const screen = new Screen({ isTTY: true, columns: 40, write: () => true } as never)

test('wraps at spaces, and indents the further lines', () => {
  expect(screen.wrap('one two three four five six seven eight', 4)).toBe(
    'one two three four five six seven\n    eight',
  )
})

test('indents the further lines of a bullet by two more columns', () => {
  expect(screen.wrap('no title:\n• echo (add a title such as "Echo Tool")', 4)).toBe(
    'no title:\n    • echo (add a title such as "Echo\n      Tool")',
  )
})
