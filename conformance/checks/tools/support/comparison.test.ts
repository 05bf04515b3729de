import { describe, expect, test } from 'vitest'
import { judge, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { isJsonText, findComparison, equalTo, wholeResult } from './comparison.ts'

const exchange = (text: string): McpExchange =>
  ({ result: { content: [{ type: 'text', text }] }, summary: text }) as unknown as McpExchange
const page = (ids: readonly string[], took: number): McpExchange =>
  exchange(JSON.stringify({ took, total: 3, books: ids.map((id) => ({ id, read: took })) }))

describe('results', () => {
  test('show where they differ if their beginnings are equal', () => {
    const summary = 'result "{…'
    const result = (value: unknown) =>
      ({
        ...exchange(typeof value === 'string' ? value : JSON.stringify(value)),
        summary,
        redact: (text: string) => text.replaceAll('sesame', '$TOKEN'),
      }) as unknown as McpExchange
    const receivedFrom = (one: unknown, other: unknown, comparison = wholeResult) =>
      judge(equalTo('is the same', comparison, result(one)), result(other)).received
    const plants = Array.from({ length: 7 }, (_, id) => ({ id, name: `sesame plant ${id}` }))
    expect(receivedFrom({ plants, more: false }, { plants: plants.slice(0, 3), more: true })).toBe(
      '`content.0.text.plants`: expected 7 items, received 3; `content.0.text.more`: expected false, received true; result "{…',
    )
    const byId = findComparison(
      exchange(JSON.stringify({ took: 1, plants })),
      exchange(JSON.stringify({ took: 2, plants })),
      'id',
    )
    expect(receivedFrom({ plants }, { plants: plants.slice(0, 3) }, byId)).toBe(
      'expected 7 items, received 3; result "{…',
    )
    const start = 'x'.repeat(500)
    expect(receivedFrom(`${start} sesame one`, `${start} sesame two`)).toBe(
      `\`content.0.text\`: expected "…${'x'.repeat(12)} $TOKEN one", received "…${'x'.repeat(12)} $TOKEN two"; result "{…`,
    )
    expect(receivedFrom('{"a":1,"b":2}', '{"b":2,"a":1}')).toBe(
      '`content.0.text`: expected "{\\"a\\":1,\\"b\\":2}", received "{\\"b\\":2,\\"a\\":1}"; result "{…',
    )
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(receivedFrom(deep, `${deep} `)).toContain('content.0.text')
  })

  test('are compared as a whole if equal calls return the same', () => {
    const comparison = findComparison(exchange('one'), exchange('one'))
    expect(comparison.description).toBe('the whole result')
    expect(
      judge(equalTo('is the same', comparison, exchange('one')), exchange('two')),
    ).toMatchObject({
      held: false,
      received: 'two',
    })
    expect(equalTo('is the same', comparison, exchange('one')).test(exchange('one'))).toBe(true)
  })

  test('may differ in times, which can be those of the calls', () => {
    const at = (second: number, count: number) =>
      exchange(JSON.stringify({ count, at: `2026-11-30T03:33:${second}Z` }))
    const comparison = findComparison(at(10, 1), at(11, 1))
    expect(equalTo('is the same', comparison, at(10, 1)).test(at(12, 1))).toBe(true)
    expect(equalTo('is the same', comparison, at(10, 1)).test(at(10, 2))).toBe(false)
  })

  test('are compared by their items if the rest differs each time', () => {
    const comparison = findComparison(page(['a', 'b'], 1), page(['a', 'b'], 2), 'id')
    expect(equalTo('is the same', comparison, page(['a', 'b'], 1)).test(page(['a', 'b'], 3))).toBe(
      true,
    )
    expect(equalTo('is the same', comparison, page(['a', 'b'], 1)).test(page(['b', 'a'], 1))).toBe(
      false,
    )
    expect(equalTo('is the same', comparison, page(['a', 'b'], 1)).test(exchange('a, b'))).toBe(
      false,
    )
  })

  test('have different items if the identifiers differ, even if these look like times', () => {
    const [one, other] = [Date.now(), Date.now() + 1].map(String)
    const comparison = findComparison(page([one!], 1), page([one!], 2), 'id')
    expect(equalTo('is the same', comparison, page([one!], 1)).test(page([other!], 1))).toBe(false)
  })

  test('are not compared if nothing stays the same', () => {
    expect(() => findComparison(exchange('one'), exchange('two'), 'id')).toThrow(NotCovered)
    expect(() => findComparison(page(['a'], 1), page(['a'], 2))).toThrow(NotCovered)
    expect(() => findComparison(page(['a'], 1), page(['b'], 1), 'id')).toThrow(NotCovered)
  })

  test('count as JSON if their text is a JSON object or array', () => {
    expect(['{}', '[1]', '3', '"text"', '# Books', ''].map(isJsonText)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
