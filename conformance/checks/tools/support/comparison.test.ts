import { describe, expect, test } from 'vitest'
import { judge, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { isJsonText, findComparison, equalTo } from './comparison.ts'

const exchange = (text: string): McpExchange =>
  ({ result: { content: [{ type: 'text', text }] }, summary: text }) as unknown as McpExchange
const page = (ids: readonly string[], took: number): McpExchange =>
  exchange(JSON.stringify({ took, total: 3, books: ids.map((id) => ({ id, read: took })) }))

describe('results', () => {
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
