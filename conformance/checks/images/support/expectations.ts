import { expectation, type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { Meaning } from './meanings.ts'

type Of<Subject = HttpExchange> = Expectation<Subject>

const summary = (exchange: HttpExchange) => exchange.summary

/** The member of an answer at a path of names; undefined where there is none. */
export function at(exchange: HttpExchange, ...names: (string | number)[]): unknown {
  let value: unknown = exchange.json
  for (const name of names)
    value = (value as Record<string | number, unknown> | null | undefined)?.[name]
  return value
}

/** Whether the target says that it did what was asked: a status of success, and no envelope that says otherwise. */
export function isSuccess(exchange: HttpExchange): boolean {
  const { status = 0 } = exchange
  return status >= 200 && status < 300 && at(exchange, 'success') !== false
}

/**
 * Whether the target says that it did not do what was asked. That the status means this very refusal, and that the envelope agrees with it,
 * is judged once for all answers by the checks that watch (statuses.ts, contract.ts).
 */
export function isRefusal(exchange: HttpExchange): boolean {
  const { status = 0 } = exchange
  if (status >= 200 && status < 300) return at(exchange, 'success') === false
  // A rate limit says nothing about the request.
  return (status >= 400 && status < 500 && status !== 429) || status === 500 || status === 502
}

const success: Of = expectation('succeeds', 'a success', isSuccess, summary)

export const succeeded: Of = {
  name: 'succeeds',
  judge: (exchange) => {
    exchange.meaning = 'success' satisfies Meaning
    return success.judge(exchange)
  },
}

/** A refusal, for the reason that is given. */
export function refused(meaning: Meaning): Of {
  const refusal: Of = expectation('is refused', `refused as ${meaning}`, isRefusal, summary)
  return {
    name: refusal.name,
    judge: (exchange) => {
      exchange.meaning = meaning
      return refusal.judge(exchange)
    },
  }
}

/** A refusal for the reason that is given, or a success of which something else holds. */
export function refusedOr(meaning: Meaning, other: Of): Of {
  const refusal = refused(meaning)
  return {
    name: `${refusal.name} or ${other.name}`,
    // What is no success is judged as a refusal: then alone its status has to fit the reason.
    judge: (exchange) => {
      const { held, received } = (isSuccess(exchange) ? other : refusal).judge(exchange)
      return {
        held,
        expected: `refused as ${meaning}, or ${other.judge(exchange).expected}`,
        received,
      }
    },
  }
}

/** An answer that is delivered: any picture, at least a byte of it. */
export const delivered: Of = expectation(
  'is delivered',
  'a picture',
  ({ status = 0, body }) => status >= 200 && status < 300 && body.length > 0,
  ({ status, failure, body }) =>
    status === undefined ? `no answer: ${failure}` : `${status}, ${body.length} bytes`,
)

/** An answer that holds no picture: a page that says so will do, but not a picture of any kind, nor the bytes of that one. */
export const notDelivered = (picture: Buffer): Of =>
  expectation(
    'is not delivered',
    'no picture',
    (exchange) => {
      const { status, body } = exchange
      if (status === undefined) return false
      const pictured =
        /^image\//i.test(exchange.header('content-type') ?? '') || body.equals(picture)
      return status >= 300 || !pictured
    },
    ({ status, failure, body }) =>
      status === undefined ? `no answer: ${failure}` : `${status}, ${body.length} bytes`,
  )

/** The value at a path of names equals this one, as JSON. */
export function shows(name: string, path: readonly (string | number)[], wanted: unknown): Of {
  return expectation(
    name,
    `${path.join('.')} ${JSON.stringify(wanted)}`,
    (exchange) => same(at(exchange, ...path), wanted),
    (exchange) =>
      isSuccess(exchange)
        ? `${path.join('.')} ${JSON.stringify(at(exchange, ...path)) ?? 'absent'}`
        : exchange.summary,
  )
}

/** A statement about anything. */
export function that<Subject>(
  name: string,
  expected: string,
  test: (subject: Subject) => boolean,
  received: (subject: Subject) => string,
): Of<Subject> {
  return expectation(name, expected, test, received)
}

/** An answer that looks like the contract's at all, however faulty: what the whole run stands on. */
export const answers: Of = expectation(
  'answers with an envelope',
  'a success with a JSON object that has success, result or errors',
  (exchange) =>
    isSuccess(exchange) &&
    ['success', 'result', 'errors'].some((name) => at(exchange, name) !== undefined),
  summary,
)

/** Equality of JSON values; the order of members does not count. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>]
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => name in b && same(a[name], b[name]))
  )
}

/** The ids on a page; what is no list counts as empty, since other checks judge that. */
export function idsOf(exchange: HttpExchange): string[] {
  const images = at(exchange, 'result', 'images')
  return Array.isArray(images)
    ? images.map((image: { id?: unknown } | null) => String(image?.id))
    : []
}
