import { describe, expect, it } from 'vitest'
import { mixed, type InterleavedClient } from './interleaved-clients.ts'

const client = (
  word: string,
  answers: readonly { id: number; asks: 'tools/list' | 'tools/call'; json: object }[],
  strays: readonly object[] = [],
): InterleavedClient =>
  ({
    word,
    exchanges: answers.map(({ id, asks, json }) => ({
      id,
      sent: { text: JSON.stringify({ method: asks }) },
      responses: [{ json }],
    })),
    strays: strays.map((json) => ({ json })),
  }) as unknown as InterleavedClient

describe('answers of two clients', () => {
  it('are apart where each has its own', () => {
    const one = client('one', [
      { id: 1, asks: 'tools/call', json: { error: { message: 'Unknown tool: one_nothing_1' } } },
      { id: 2, asks: 'tools/list', json: { result: { tools: [] } } },
    ])
    expect(
      mixed([one, client('two', [{ id: 1, asks: 'tools/list', json: { result: { tools: [] } } }])]),
    ).toEqual([])
  })

  it.each([
    [
      "tell the other's name",
      client('one', [
        { id: 1, asks: 'tools/call', json: { error: { message: 'Unknown tool: two_nothing_1' } } },
      ]),
    ],
    [
      'are a list where a tool was called',
      client('one', [{ id: 1, asks: 'tools/call', json: { result: { tools: [] } } }]),
    ],
    [
      'are about a call where a list was asked for',
      client('one', [{ id: 1, asks: 'tools/list', json: { error: { message: 'one_nothing_1' } } }]),
    ],
    ['come unasked', client('one', [], [{ id: 'two-4', result: {} }])],
  ])('are mixed where they %s', (_, one) => {
    expect(mixed([one, client('two', [])])).toHaveLength(1)
  })
})
