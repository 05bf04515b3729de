import { describe, expect, it } from 'vitest'
import { findMixedResponses, type InterleavedClient } from './interleaved-clients.ts'

const client = (
  marker: string,
  exchanges: readonly { id: number; method: 'tools/list' | 'tools/call'; response: object }[],
  unmatchedResponses: readonly object[] = [],
): InterleavedClient =>
  ({
    marker,
    exchanges: exchanges.map(({ id, method, response }) => ({
      id,
      sent: { text: JSON.stringify({ method }) },
      responses: [{ json: response }],
    })),
    unmatchedResponses: unmatchedResponses.map((json) => ({ json })),
  }) as unknown as InterleavedClient

const emptyList = { result: { tools: [] } }
const unknownTool = (name: string) => ({ error: { message: `Unknown tool: ${name}` } })

describe('responses to two clients', () => {
  it('are not mixed if each client receives its own', () => {
    const one = client('one', [
      { id: 1, method: 'tools/call', response: unknownTool('one_nothing_1') },
      { id: 2, method: 'tools/list', response: emptyList },
    ])
    const two = client('two', [{ id: 1, method: 'tools/list', response: emptyList }])
    expect(findMixedResponses([one, two])).toEqual([])
  })

  it.each([
    [
      "contains the other client's name",
      client('one', [{ id: 1, method: 'tools/call', response: unknownTool('two_nothing_1') }]),
    ],
    ['to a call is a list', client('one', [{ id: 1, method: 'tools/call', response: emptyList }])],
    [
      'to a list request is about a call',
      client('one', [{ id: 1, method: 'tools/list', response: unknownTool('one_nothing_1') }]),
    ],
    ['belongs to no request', client('one', [], [{ id: 'two-4', result: {} }])],
  ])('are mixed if a response %s', (_, one) => {
    expect(findMixedResponses([one, client('two', [])])).toHaveLength(1)
  })
})
