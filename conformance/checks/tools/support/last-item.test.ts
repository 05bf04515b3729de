import { expect, test } from 'vitest'
import { partsOfItems } from './last-item.ts'

test('each part of Markdown begins with the line of its item, and ends before the next one', () => {
  const items = [{ id: 'c-1' }, { id: 'c-2' }, { id: 'c-3' }, { id: 'c-30' }]
  const markdown = '# Copies\n\n## Two (c-2)\n- Note: b\n\n## One (c-1)\n- Note: a\n- See c-2'
  expect(
    partsOfItems(markdown, items, 'id').map(({ id, offset, part }) => [id, offset, part]),
  ).toEqual([
    ['c-2', 1, '## Two (c-2)\n- Note: b\n'],
    ['c-1', 0, '## One (c-1)\n- Note: a\n- See c-2'],
  ])
})
