import { describe, expect, it } from 'vitest'
import { kindOfPost, methodOf } from './posts.ts'

const posted = (message: unknown, transport: 'http' | 'sse' = 'http', method = 'POST') => ({
  transport,
  sent: {
    method,
    url: 'http://127.0.0.1/mcp',
    headers: {},
    text: typeof message === 'string' ? message : JSON.stringify(message),
  },
})

describe('a posted message', () => {
  it.each([
    ['request', { jsonrpc: '2.0', id: 0, method: 'ping' }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['notification', { jsonrpc: '2.0', id: 1, result: {} }],
    ['notification', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }],
    ['none', { id: 1, method: 'ping' }],
    ['none', { jsonrpc: '2.0', id: 1 }],
    ['none', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['none', '{"jsonrpc":"2.0","id":1,"method":"ping"'],
  ] as const)('is classified as %s: %j', (kind, message) => {
    expect(kindOfPost(posted(message))).toBe(kind)
  })

  it('is classified only if it is a POST over streamable HTTP', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect(kindOfPost(posted(message, 'sse'))).toBe('none')
    expect(kindOfPost(posted(message, 'http', 'DELETE'))).toBe('none')
  })

  it('has the method of its request or notification', () => {
    expect(methodOf(posted({ jsonrpc: '2.0', method: 'ping' }))).toBe('ping')
    expect(methodOf(posted({ id: 1, result: {} }))).toBeUndefined()
    expect(methodOf(posted('{'))).toBeUndefined()
  })
})
