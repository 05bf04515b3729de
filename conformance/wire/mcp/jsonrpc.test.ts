import { describe, expect, it } from 'vitest'
import { flawsOf, kindOfMessage } from './jsonrpc.ts'
import { outgoingOf } from './outgoing.ts'

const rpc = (more: object) => ({ jsonrpc: '2.0', ...more })

describe('a JSON-RPC message', () => {
  it.each([
    [rpc({ id: 1, method: 'ping' }), 'request'],
    [rpc({ id: 'a', method: 'ping', params: {} }), 'request'],
    [rpc({ method: 'notifications/initialized' }), 'notification'],
    [rpc({ id: 1, result: {} }), 'response'],
    [rpc({ id: 1, error: { code: -32601, message: 'no' } }), 'response'],
    [rpc({ id: null, error: { code: -32700, message: 'no' } }), 'response'],
    [rpc({ error: { code: -32700, message: 'no' } }), 'response'],
  ])('is right: %j', (message, kind) => {
    expect([kindOfMessage(message), flawsOf(message)]).toEqual([kind, []])
  })

  it.each([
    ['text', 'none', '"text" is no JSON-RPC message'],
    [null, 'none', 'null is no JSON-RPC message'],
    [{ jsonrpc: '2.0' }, 'none', '{"jsonrpc":"2.0"} has neither method nor result nor error'],
    [{ id: 1, result: {} }, 'response', 'jsonrpc is missing and not "2.0"'],
    [rpc({ id: 1, method: 5 }), 'request', 'method is 5 and no text'],
    [rpc({ method: 'x', params: [1] }), 'notification', 'params is [1] and no object'],
    [rpc({ id: null, method: 'x' }), 'request', 'a request has the id null'],
    [rpc({ id: 1.5, method: 'x' }), 'request', 'a request has the id 1.5'],
    [
      rpc({ id: 1, result: {}, error: { code: 1, message: '' } }),
      'response',
      'a response has both result and error',
    ],
    [rpc({ id: 1, result: null }), 'response', 'result is null and no object'],
    [rpc({ id: null, result: {} }), 'response', 'a response has the id null'],
    [rpc({ id: 1, error: 'no' }), 'response', 'error is "no" and no object'],
    [
      rpc({ id: 1, error: { code: '1', message: 'no' } }),
      'response',
      'the code of an error is "1" and no integer',
    ],
    [
      rpc({ id: 1, error: { code: 1 } }),
      'response',
      'the message of an error is missing and no text',
    ],
  ])('is wrong: %j', (message, kind, flaw) => {
    expect([kindOfMessage(message), flawsOf(message)]).toEqual([
      kind,
      [{ code: kind === 'none' ? 'no-message' : 'malformed-message', text: flaw }],
    ])
  })
})

describe('what goes out', () => {
  it.each([
    [rpc({ id: 3, method: 'ping' }), 'ping', [3]],
    ['{"jsonrpc":"2.0","id":"a","method":"x"}', 'x', ['a']],
    [rpc({ method: 'x' }), 'x', []],
    [rpc({ id: 1, result: {} }), 'response', []],
    [
      [rpc({ id: 1, method: 'a' }), rpc({ method: 'b' }), rpc({ id: 2, method: 'c' })],
      'batch',
      [1, 2],
    ],
    [[], 'batch', [null]],
    ['{"jsonrpc', 'malformed', [null]],
    [Buffer.from([0xff]), 'malformed', [null]],
    [{ jsonrpc: '2.0', id: 1 }, 'malformed', [null]],
  ])('%j is called by its method and awaits its ids', (message, operation, awaits) => {
    expect(outgoingOf(message)).toMatchObject({ operation, awaits })
  })
})
