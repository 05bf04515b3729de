import { type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { isServed } from './protected-endpoints.ts'

// Expectations of authentication.

export const served: Expectation<HttpExchange> = {
  name: 'is served',
  expected: 'a 2xx status',
  test: isServed,
}

export const hasStatus = (...statuses: readonly number[]): Expectation<HttpExchange> => ({
  name: `has status ${statuses.join(' or ')}`,
  expected: `status ${statuses.join(' or ')}`,
  test: ({ status }) => status !== undefined && statuses.includes(status),
})

/** The members of a JSON object in the body; none if the body is not a JSON object. */
export function members({ json }: HttpExchange): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : {}
}

/**
 * Expects one of the statuses and, if there are `codes`, JSON whose `error` is one of them, as from
 * the token endpoint (OAuth 2.1 §3.2.4).
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-13#section-3.2.4
 */
export const refusedWith = (
  statuses: readonly number[],
  ...codes: readonly string[]
): Expectation<HttpExchange> => ({
  name: `is refused${codes.length === 0 ? '' : ` as ${codes.join(' or ')}`}`,
  expected: [
    `status ${statuses.join(' or ')}`,
    ...(codes.length === 0 ? [] : [`the error ${codes.join(' or ')}`]),
  ].join(' and '),
  test: (exchange) =>
    exchange.status !== undefined &&
    statuses.includes(exchange.status) &&
    (codes.length === 0 || codes.includes(String(members(exchange)['error']))),
})
