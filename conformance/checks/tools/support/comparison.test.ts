import { describe, expect, test } from 'vitest'
import { judge, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { isJsonText, findComparison, equalTo } from './comparison.ts'

const answer = (text: string): McpExchange =>
  ({ result: { content: [{ type: 'text', text }] }, summary: text }) as unknown as McpExchange
const page = (ids: readonly string[], took: number): McpExchange =>
  answer(JSON.stringify({ took, total: 3, books: ids.map((id) => ({ id, read: took })) }))

describe('results', () => {
  test('are compared as a whole where the same call has the same one', () => {
    const likeness = findComparison(answer('one'), answer('one'))
    expect(likeness.description).toBe('the whole result')
    expect(judge(equalTo('is the same', likeness, answer('one')), answer('two'))).toMatchObject({
      held: false,
      received: 'two',
    })
    expect(equalTo('is the same', likeness, answer('one')).test(answer('one'))).toBe(true)
  })

  test('are compared by their items where the rest is another each time', () => {
    const likeness = findComparison(page(['a', 'b'], 1), page(['a', 'b'], 2), 'id')
    expect(equalTo('is the same', likeness, page(['a', 'b'], 1)).test(page(['a', 'b'], 3))).toBe(
      true,
    )
    expect(equalTo('is the same', likeness, page(['a', 'b'], 1)).test(page(['b', 'a'], 1))).toBe(
      false,
    )
    expect(equalTo('is the same', likeness, page(['a', 'b'], 1)).test(answer('a, b'))).toBe(false)
  })

  test('are not compared where nothing of them stays', () => {
    expect(() => findComparison(answer('one'), answer('two'), 'id')).toThrow(NotCovered)
    expect(() => findComparison(page(['a'], 1), page(['a'], 2))).toThrow(NotCovered)
    expect(() => findComparison(page(['a'], 1), page(['b'], 1), 'id')).toThrow(NotCovered)
  })

  test('are JSON where a text is an object or an array', () => {
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
