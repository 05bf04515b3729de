import { describe, expect, it } from 'vitest'
import { isFlatSchema } from './elicitations.ts'
import { idsOf, type ConsistentPage } from './result-page.ts'
import { isTruncated, wantedItems } from './truncated-pages.ts'
import { nextOffset, hasCorrectNextOffset, summarizeWalk } from './page-walk.ts'

const page = (
  offset: number,
  ids: readonly string[],
  total: number,
  next: unknown,
): ConsistentPage => ({
  items: ids.map((id) => ({ id })),
  total,
  offset,
  count: ids.length,
  json: { total, offset, count: ids.length, next_offset: next },
  requested: { limit: 2, offset },
  exchange: undefined as never,
})

describe('following next_offset', () => {
  it('counts the items, and finds those that appear twice', () => {
    const pages = [page(0, ['a', 'b'], 5, 2), page(2, ['b', 'c'], 5, 4), page(4, ['b'], 5, null)]
    expect(summarizeWalk(pages, 'id', true)).toMatchObject({
      itemCount: 5,
      total: 5,
      duplicates: ['b'],
    })
    expect(summarizeWalk(pages, undefined, true)).toMatchObject({
      itemCount: 5,
      duplicates: [],
    })
    expect(idsOf([{ id: 7 }, { id: 'a' }, { id: null }, 'x'], 'id')).toEqual([
      '7',
      'a',
      undefined,
      undefined,
    ])
  })

  it('ignores a next_offset that does not lead forward', () => {
    expect(
      [2, 1, 0, -1, null, '4', 2.5].map((next) => nextOffset(page(1, ['a'], 5, next))),
    ).toEqual([2, undefined, undefined, undefined, undefined, undefined, undefined])
  })

  it('requires next_offset to be the end of the page, or null on the last', () => {
    expect(
      [
        page(0, ['a'], 2, 1),
        page(1, ['a'], 2, null),
        page(0, ['a'], 2, null),
        page(1, ['a'], 2, 2),
        page(0, ['a'], 2, '1'),
      ].map(hasCorrectNextOffset),
    ).toEqual([true, true, false, false, false])
  })
})

describe('a truncated page', () => {
  const page = (items: number, limit: number, total: number, more = {}) => ({
    items: Array.from({ length: items }, () => ({})),
    requested: { limit, offset: 10 },
    json: { total, ...more },
  })

  it('has fewer items than requested, and would be too long with all of them', () => {
    expect([
      wantedItems(page(3, 20, 100)),
      wantedItems(page(3, 20, 15)),
      wantedItems(page(3, 20, 13)),
    ]).toEqual([20, 5, 3])
    expect(isTruncated(page(10, 20, 100), 20_000)).toBe(true)
    expect(isTruncated(page(10, 20, 20), 24_000)).toBe(false)
    // A server may return small pages by choice.
    expect(isTruncated(page(10, 20, 100), 2000)).toBe(false)
    expect(isTruncated(page(10, 10, 100, { truncated: true }), 2000)).toBe(true)
  })
})

describe('the schema of an elicitation', () => {
  it('has flat fields only', () => {
    const schema = (field: unknown) => ({ type: 'object', properties: { field } })
    const flat = [
      { type: 'string', format: 'email' },
      { type: 'boolean' },
      { type: 'integer' },
      { type: 'string', enum: ['a'] },
      { enum: ['a'] },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ]
    expect(flat.map((field) => isFlatSchema(schema(field)))).toEqual(flat.map(() => true))
    const others = [
      { type: 'object', properties: {} },
      { type: 'array', items: { type: 'object', properties: {} } },
      { $ref: '#/a' },
      'string',
    ]
    expect(others.map((field) => isFlatSchema(schema(field)))).toEqual(others.map(() => false))
    expect([
      isFlatSchema(undefined),
      isFlatSchema({ type: 'string' }),
      isFlatSchema({ type: 'object', properties: {} }),
    ]).toEqual([false, false, true])
  })
})
