import { expect, test } from 'vitest'
import type { McpReceived } from '../../../wire/index.ts'
import { errorCodesOf } from './results.ts'

test('the error in the body of an HTTP error is not a JSON-RPC error', () => {
  const codesIn = (...messages: McpReceived['json'][]) =>
    errorCodesOf({ responses: messages.map((json) => ({ json }) as McpReceived) })
  expect(codesIn({ error: 'invalid_json' }, { error: { message: 'not JSON' } })).toEqual([])
  expect(codesIn({ error: { code: -32700 } }, { jsonrpc: '2.0', error: {} })).toEqual([
    -32700,
    'without a code',
  ])
})
