import { describe, expect, it } from 'vitest'
import {
  epochTimesIn,
  countListEntries,
  countHeaders,
  membersMissingIn,
  timestampsIn,
  containsNameWithId,
  containsId,
  findSpellings,
} from './markdown.ts'

describe('what is read of markdown', () => {
  it('counts headers of both forms, and no ruled lines', () => {
    expect(countHeaders('# One\n\ntext\n\n## Two\nThree\n=====\n\n---\n- a\n---\n#no')).toBe(3)
    expect(countHeaders('**Bold**\n\nplain')).toBe(0)
  })

  it('counts the entries of lists, marked or numbered', () => {
    expect(countListEntries('- a\n* b\n  + c\n1. d\n2) e\n-f\n**g**')).toBe(5)
  })

  it('sees a name with its identifier in parentheses, whatever markup there is', () => {
    for (const text of [
      'The Sea (b-1)',
      '**The Sea** (b-1)',
      '[The Sea](https://x.example/1) (`b-1`)',
      '`The Sea`: (ID: b-1)',
      'The Sea (b\\-1)',
      '## The Sea (b-1, 1990)',
    ]) {
      expect([text, containsNameWithId(text, 'The Sea', 'b-1')]).toEqual([text, true])
    }
    for (const text of [
      'The Sea b-1',
      'b-1 (The Sea)',
      'The Sea (b-12)',
      'The Sea [b-1]',
      'The Sea\n\n\nand so on (b-1)',
    ])
      expect([text, containsNameWithId(text, 'The Sea', 'b-1')]).toEqual([text, false])
  })

  it('shows an identifier only where it is no part of a longer one', () => {
    expect([
      containsId('a (b-1)', 'b-1'),
      containsId('a (b-12)', 'b-1'),
      containsId('`7`', '7'),
      containsId('17', '7'),
    ]).toEqual([true, false, true, false])
  })

  it('finds moments, and where a text counts them from 1970', () => {
    const moments = timestampsIn({
      items: [
        {
          at: '2021-01-04T08:30:00Z',
          created_at: 1_609_749_000,
          count: 1_609_749_000,
          updatedAt: 1_609_749_000_123,
          day: '2021-01-04',
          open: [{ since: '2021-01-04T08:30' }],
        },
      ],
    })
    expect(moments).toEqual([
      1_609_749_000_000, 1_609_749_000_000, 1_609_749_000_123, 1_609_749_000_000,
    ])
    expect(epochTimesIn('at 1609749000', moments.slice(0, 1))).toHaveLength(1)
    expect(epochTimesIn('at 1609749000000 ms', moments.slice(0, 1))).toHaveLength(1)
    expect(epochTimesIn('at 4 January 2021, 08:30 UTC, number 16097490001', moments)).toEqual([])
  })

  it('finds two spellings of one field, but not in what holds data', () => {
    expect(
      findSpellings({ items: [{ author_name: 'a' }, { authorName: 'b', tags: ['x_y', 'xY'] }] }),
    ).toEqual([['author_name', 'authorName']])
    expect(
      findSpellings({
        total: 1,
        items: [{ metadata: { 'Content-Type': 'a', content_type: 'b' } }],
        nextOffset: null,
      }),
    ).toEqual([])
  })

  it('tells which members a text leaves out', () => {
    expect(
      membersMissingIn('The Sea (b-1)', {
        id: 'b-1',
        title: 'The Sea',
        summary: 'Long',
        year: 1990,
        tags: [],
      }),
    ).toEqual(['summary', 'year'])
  })
})
