import { expect, it } from 'vitest'
import type { Validator } from '../../generated/contract.ts'
import { dataOf, isPage, isToolError, isTruncated, textOf, type ToolCallResult } from './results.ts'

const text = (value: string): ToolCallResult => ({ content: [{ type: 'text', text: value }] })
const page = {
  total: 2,
  count: 1,
  offset: 0,
  books: [{ id: 'b-1' }],
  has_more: true,
  next_offset: 1,
}
const truncation = { truncated: true, truncation_message: 'Continue with offset 31.' }

it.each<[ToolCallResult, boolean]>([
  [{ ...text('It failed.'), isError: true }, true],
  [text('Error: no book b-9. Check the ID.'), true],
  [{ ...text('Error: no book b-9. Check the ID.'), isError: false }, true],
  [text('The Error: a novel'), false],
  [{ structuredContent: page }, false],
  [{}, false],
])('isToolError(%j) is %s', (result, expected) => {
  expect(isToolError(result)).toBe(expected)
})

it('joins the parts of the text', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
  expect(
    textOf({ content: [{ type: 'text', text: '# Books' }, image, { type: 'text', text: '- a' }] }),
  ).toBe('# Books\n- a')
})

it('reads data from structured content, wrapped text and plain text', () => {
  expect(dataOf({ ...text('# Books'), structuredContent: page })).toEqual(page)
  expect(dataOf({ structuredContent: { result: JSON.stringify(page) } })).toEqual(page)
  expect(dataOf({ structuredContent: { result: 'a', next: 'b' } })).toEqual({
    result: 'a',
    next: 'b',
  })
  expect(dataOf(text(JSON.stringify(page)))).toEqual(page)
  expect(dataOf(text('# Books'))).toBeUndefined()
  expect(dataOf({ structuredContent: { result: '# Books' } })).toBeUndefined()
  expect(dataOf({})).toBeUndefined()
})

it('recognizes a page, and its items', () => {
  const hasId = ((value: unknown) =>
    typeof (value as { id?: unknown }).id === 'string') as Validator<{ id: string }>
  const value: unknown = page
  if (!isPage(value, 'books', hasId)) throw new Error('not a page')
  const [id] = value.books.map((book): string => book.id)
  expect([id, value.next_offset]).toEqual(['b-1', 1])
  expect(isPage(page, 'users')).toBe(false)
  expect(isPage({ ...page, books: [{ id: 1 }] }, 'books', hasId)).toBe(false)
  expect(isPage({ ...page, count: 2 }, 'books')).toBe(false)
  expect(isPage({ ...page, next_offset: null }, 'books')).toBe(false)
})

it('recognizes a truncated result', () => {
  const value: unknown = { ...page, ...truncation }
  if (!isTruncated(value)) throw new Error('not truncated')
  const message: string = value.truncation_message
  expect(message).toContain('offset')
  expect(isTruncated(page)).toBe(false)
  expect(isTruncated({ ...truncation, truncated: false })).toBe(false)
})
