import { type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { isServed } from './places.ts'

// Expectations that checks of authentication share.

export const served: Expectation<HttpExchange> = {
  name: 'is served',
  expected: 'a status of success',
  test: isServed,
}

export const hasStatus = (...statuses: readonly number[]): Expectation<HttpExchange> => ({
  name: `has status ${statuses.join(' or ')}`,
  expected: `status ${statuses.join(' or ')}`,
  test: ({ status }) => status !== undefined && statuses.includes(status),
})

/** Members of an answer in JSON; none where it is no object. */
export function members({ json }: HttpExchange): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : {}
}

/** A refusal of one of the endpoints for programs: an `error` in JSON (OAuth 2.1 §3.2.4), by these codes where some are given. */
export const refusedWith = (
  statuses: readonly number[],
  ...codes: readonly string[]
): Expectation<HttpExchange> => ({
  name: `is refused${codes.length === 0 ? '' : ` as ${codes.join(' or ')}`}`,
  expected: `status ${statuses.join(' or ')}${codes.length === 0 ? '' : ` and the error ${codes.join(' or ')}`}`,
  test: (exchange) =>
    exchange.status !== undefined &&
    statuses.includes(exchange.status) &&
    (codes.length === 0 || codes.includes(String(members(exchange)['error']))),
})
