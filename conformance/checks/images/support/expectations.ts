import type { HttpExchange } from '../../../wire/index.ts'
import { judge, type Expectation } from '../../../engine/index.ts'
import { describeMeaning, type Meaning } from './meanings.ts'

type ResponseExpectation = Expectation<HttpExchange>

/** The value at a path in the JSON body; undefined if there is none. */
export function jsonAt(exchange: HttpExchange, ...names: (string | number)[]): unknown {
  let value: unknown = exchange.json
  for (const name of names)
    value = (value as Record<string | number, unknown> | null | undefined)?.[name]
  return value
}

/** Whether the target reports success: a 2xx status, and no envelope with `success: false`. */
export function isSuccess(exchange: HttpExchange): boolean {
  const { status = 0 } = exchange
  return status >= 200 && status < 300 && jsonAt(exchange, 'success') !== false
}

/**
 * Whether the target reports a refusal. Whether the status has the right meaning, and whether the
 * envelope agrees with it, is judged for all responses by the watching checks (statuses.ts,
 * contract.ts).
 */
export function isRefusal(exchange: HttpExchange): boolean {
  const { status = 0 } = exchange
  if (status >= 200 && status < 300) return jsonAt(exchange, 'success') === false
  // A rate limit says nothing about the request.
  return (status >= 400 && status < 500 && status !== 429) || status === 500 || status === 502
}

export const succeeded: ResponseExpectation = {
  name: 'succeeds',
  expected: 'a success: status 2xx',
  test: isSuccess,
}

/** A refusal. The request must be sent with the same meaning. `reason` explains it in reports. */
export function refused(meaning: Meaning, reason?: string): ResponseExpectation {
  return {
    name: 'is refused',
    expected: describeMeaning(meaning, reason),
    test: isRefusal,
  }
}

/** A refusal, or a success that meets another expectation. */
export function refusedOr(meaning: Meaning, other: ResponseExpectation): ResponseExpectation {
  const refusal = refused(meaning)
  // Only the status of a refusal must have the meaning.
  const applicable = (exchange: HttpExchange) => (isSuccess(exchange) ? other : refusal)
  return {
    name: `${refusal.name} or ${other.name}`,
    expected: `${other.expected}, or ${refusal.expected}`,
    test: (exchange) => applicable(exchange).test(exchange),
    received: (exchange) => judge(applicable(exchange), exchange).received,
  }
}

/** A delivered image: a success with at least one byte. */
export const delivered: ResponseExpectation = {
  name: 'is delivered',
  expected: 'status 2xx with the bytes of the image',
  test: ({ status = 0, body }) => status >= 200 && status < 300 && body.length > 0,
  received: ({ status, failure, body }) =>
    status === undefined ? `no response: ${failure}` : `status ${status}, ${body.length} bytes`,
}

/**
 * A response without an image: neither an image type nor the bytes of this image. An error page
 * with status 200 is accepted.
 */
export const notDelivered = (image: Buffer): ResponseExpectation => ({
  name: 'is not delivered',
  expected: 'a response that does not contain the image',
  test: (exchange) => {
    const { status, body } = exchange
    if (status === undefined) return false
    const isImage = /^image\//i.test(exchange.header('content-type') ?? '') || body.equals(image)
    return status >= 300 || !isImage
  },
  received: ({ status, failure, body }) =>
    status === undefined ? `no response: ${failure}` : `status ${status}, ${body.length} bytes`,
})

/** The value at a path equals this one, as JSON. */
export function hasValue(
  name: string,
  path: readonly (string | number)[],
  value: unknown,
): ResponseExpectation {
  return {
    name,
    expected: `${path.join('.')} ${JSON.stringify(value)}`,
    test: (exchange) => jsonEquals(jsonAt(exchange, ...path), value),
    received: (exchange) =>
      isSuccess(exchange)
        ? `${path.join('.')} ${JSON.stringify(jsonAt(exchange, ...path)) ?? 'is missing'}`
        : exchange.summary,
  }
}

/**
 * A success that resembles the contract's envelope, even if it is broken. All checks depend on it.
 */
export const respondsWithEnvelope: ResponseExpectation = {
  name: 'responds with an envelope',
  expected: 'status 2xx with a JSON object that contains success, result or errors',
  test: (exchange) =>
    isSuccess(exchange) &&
    ['success', 'result', 'errors'].some((name) => jsonAt(exchange, name) !== undefined),
}

/** Deep equality of JSON values; the order of members does not matter. */
export function jsonEquals(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>]
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => name in b && jsonEquals(a[name], b[name]))
  )
}

/** The ids on a page; none if it has no list, which other checks judge. */
export function idsOf(exchange: HttpExchange): string[] {
  const images = jsonAt(exchange, 'result', 'images')
  return Array.isArray(images)
    ? images.map((image: { id?: unknown } | null) => String(image?.id))
    : []
}

/** The error codes of a failure, for people. */
export const codesOf = (exchange: HttpExchange) => {
  const errors = jsonAt(exchange, 'errors')
  return Array.isArray(errors)
    ? errors.map((error: { code?: unknown } | null) => String(error?.code)).join(', ') || 'none'
    : 'none'
}
