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
  jsonInMarkdown,
} from './markdown.ts'

describe('markdown', () => {
  it('has headers with number signs or underlines; thematic breaks are not headers', () => {
    expect(countHeaders('# One\n\ntext\n\n## Two\nThree\n=====\n\n---\n- a\n---\n#no')).toBe(3)
    expect(countHeaders('**Bold**\n\nplain')).toBe(0)
  })

  it('has list entries with bullets or numbers', () => {
    expect(countListEntries('- a\n* b\n  + c\n1. d\n2) e\n-f\n**g**')).toBe(5)
  })

  it('has a name with its identifier in parentheses, with any markup', () => {
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

  it('contains an identifier only if it is not part of a longer one', () => {
    expect([
      containsId('a (b-1)', 'b-1'),
      containsId('a (b-12)', 'b-1'),
      containsId('`7`', '7'),
      containsId('17', '7'),
    ]).toEqual([true, false, true, false])
  })

  it('is searched for the times of the JSON result, in seconds or milliseconds since 1970', () => {
    const times = timestampsIn({
      items: [
        {
          at: '2021-01-04T08:30:00Z',
          created_at: 1_609_749_000,
          population: 331_002_651,
          day: '2021-01-04',
          open: [{ since: '2021-01-04T08:30' }],
        },
      ],
    })
    expect(times).toEqual([1_609_749_000_000, 1_609_749_000_000])
    const json = { added_at: '2021-01-04T08:30:00.000Z' }
    expect(epochTimesIn('at 1609749000', json)).toHaveLength(1)
    expect(epochTimesIn('at 1609749000000 ms', json)).toHaveLength(1)
    expect(epochTimesIn('at 4 January 2021, 08:30 UTC, number 16097490001', json)).toEqual([])
    // An identifier can be made of a time.
    expect(epochTimesIn('message 1609749000.1', { ...json, id: '1609749000.1' })).toEqual([])
  })

  it('may contain JSON, in a code block, in a line, or over several lines', () => {
    for (const text of [
      '# Book\n\n```json\n{\n  "id": 1\n}\n```\n\nMore: {x}',
      '# Book\n\n- {"id":1}\n- {"id":2}',
      '# Book\n\n{\n "id": 1\n}',
    ])
      expect(jsonInMarkdown(text)).toContainEqual({ id: 1 })
    expect(jsonInMarkdown('# Book\n\n- **id**: {1}, [a link](b)')).toEqual([])
  })

  it('is searched for the values of an item, and the names of the missing members are returned', () => {
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

describe('findSpellings', () => {
  it('finds fields that are spelled in two ways, except in members that contain data', () => {
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
})

it('ignores white space when it compares Markdown with an item', () => {
  const item = { note: 'Two lines\n  and a space at the end ', place: 'a b' }
  expect(
    membersMissingIn('- Note: Two lines and a space\n  at the end\n- Place: ab', item),
  ).toEqual(['place'])
})
