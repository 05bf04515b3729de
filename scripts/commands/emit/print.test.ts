import { expect, test } from 'vitest'
import type { DeliveryResult } from '../../../mocks/deliveries/send.ts'
import { chooseHint, hintFor } from './print.ts'

const hintOf = (result: Partial<DeliveryResult>): string =>
  hintFor(result as DeliveryResult, { token: 'none', insecure: false }) ?? ''

test.each([
  ['refuses connections', 0, { unreachable: 1 }, /^No server listens there/],
  ['responded before it refused connections', 2, { '200': 2, unreachable: 1 }, /responded before/],
])('a receiver that %s', (_what, acknowledged, responses, expected) => {
  const hints = new Set([hintOf({ failure: { reason: 'unreachable', message: 'refused' } })])
  expect(chooseHint(hints, { acknowledged, responses })).toMatch(expected)
})

test('a path that refuses only some deliveries is not called wrong', () => {
  const hints = new Set([hintOf({ status: 404 })])
  expect(chooseHint(hints, { acknowledged: 0, responses: { '404': 1 } })).toMatch(/at that path/)
  expect(chooseHint(hints, { acknowledged: 1, responses: { '200': 1, '404': 1 } })).toBe(undefined)
})
