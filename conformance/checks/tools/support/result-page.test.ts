import { describe, expect, it } from 'vitest'
import { isFlatSchema } from './elicitations.ts'
import { idsOf, type SoundPage } from './result-page.ts'
import { isCut, tellsWayOn, wantedOf } from './truncated-pages.ts'
import { nextOf, pointsRight, walkOf } from './page-walk.ts'

const page = (offset: number, ids: readonly string[], total: number, next: unknown): SoundPage => ({
  items: ids.map((id) => ({ id })),
  total,
  offset,
  count: ids.length,
  json: { total, offset, count: ids.length, next_offset: next },
  asked: { limit: 2, offset },
  exchange: undefined as never,
})

describe('a walk along next_offset', () => {
  it('tells how many items it met, and which of them twice', () => {
    const pages = [page(0, ['a', 'b'], 5, 2), page(2, ['b', 'c'], 5, 4), page(4, ['b'], 5, null)]
    expect(walkOf(pages, 'id', true)).toMatchObject({ met: 5, total: 5, doubled: ['b'] })
    expect(walkOf(pages, undefined, true)).toMatchObject({ met: 5, doubled: [] })
    expect(idsOf([{ id: 7 }, { id: 'a' }, { id: null }, 'x'], 'id')).toEqual([
      '7',
      'a',
      undefined,
      undefined,
    ])
  })

  it('goes forward only', () => {
    expect([2, 1, 0, -1, null, '4', 2.5].map((next) => nextOf(page(1, ['a'], 5, next)))).toEqual([
      2,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('sees where next_offset points', () => {
    expect(
      [
        page(0, ['a'], 2, 1),
        page(1, ['a'], 2, null),
        page(0, ['a'], 2, null),
        page(1, ['a'], 2, 2),
        page(0, ['a'], 2, '1'),
      ].map(pointsRight),
    ).toEqual([true, true, false, false, false])
  })
})

describe('a page that is cut short', () => {
  const cut = (items: number, limit: number, total: number, more = {}) => ({
    items: Array.from({ length: items }, () => ({})),
    asked: { limit, offset: 10 },
    json: { total, ...more },
  })

  it('has fewer items than were asked for, and would be too long with all of them', () => {
    expect([wantedOf(cut(3, 20, 100)), wantedOf(cut(3, 20, 15)), wantedOf(cut(3, 20, 13))]).toEqual(
      [20, 5, 3],
    )
    expect(isCut(cut(10, 20, 100), 20_000)).toBe(true)
    expect(isCut(cut(10, 20, 20), 24_000)).toBe(false)
    // Whoever gives small pages by choice cuts nothing short.
    expect(isCut(cut(10, 20, 100), 2000)).toBe(false)
    expect(isCut(cut(10, 10, 100, { truncated: true }), 2000)).toBe(true)
  })

  it('sends its reader to offset or to filters, in whatever words', () => {
    for (const text of [
      "Use 'offset' for the rest.",
      'Response truncated from 100 to 50 items. Use filters to see fewer.',
      'Please narrow your search.',
      'Be more specific!',
    ])
      expect([text, tellsWayOn(text)]).toEqual([text, true])
    expect(tellsWayOn('The result was too long.')).toBe(false)
  })
})

describe('the schema of a question', () => {
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
