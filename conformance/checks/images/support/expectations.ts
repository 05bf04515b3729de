import type { HttpExchange } from '../../../wire/index.ts'
import { missingResponse } from '../../../wire/missing-response.ts'
import { judge, type Expectation } from '../../../engine/index.ts'
import { describeMeaning, type Meaning } from './meanings.ts'
import {
  isComplete,
  mayDeclare,
  readImage,
  showsInPlace,
  showsTestImage,
  type TestImage,
} from './test-images.ts'

type ResponseExpectation = Expectation<HttpExchange>

/** The value at a path in the JSON body; undefined if it is missing. */
export function jsonAt(exchange: HttpExchange, ...names: (string | number)[]): unknown {
  let value: unknown = exchange.json
  for (const name of names)
    value = (value as Record<string | number, unknown> | null | undefined)?.[name]
  return value
}

/**
 * Whether the target reports success: a 2xx status without `success: false` in the envelope. A
 * redirect from the upload host also counts, because this host may send the browser of the end user
 * to another page.
 */
export function isSuccess(exchange: HttpExchange): boolean {
  const { status = 0, operation } = exchange
  const isRedirected =
    operation === 'completeDirectUpload' &&
    [301, 302, 303, 307, 308].includes(status) &&
    exchange.header('location') !== undefined
  return isRedirected || (status >= 200 && status < 300 && jsonAt(exchange, 'success') !== false)
}

/**
 * Whether the target reports a refusal. The checks in statuses.ts and contract.ts examine whether
 * the status has the right meaning and agrees with the envelope.
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

/**
 * Expects a refusal of a request that was sent with this `meaning`. `reason` explains the expected
 * status in reports.
 */
export function refused(meaning: Meaning, reason?: string): ResponseExpectation {
  return {
    name: 'is refused',
    expected: describeMeaning(meaning, reason),
    test: isRefusal,
  }
}

/** Expects a refusal, or a success that meets another expectation. */
export function refusedOr(meaning: Meaning, other: ResponseExpectation): ResponseExpectation {
  const refusal = refused(meaning)
  // The meaning applies only to refusals, so a success must meet only the other expectation.
  const applicable = (exchange: HttpExchange) => (isSuccess(exchange) ? other : refusal)
  return {
    name: `${refusal.name} or ${other.name}`,
    expected: `${other.expected}, or ${refusal.expected}`,
    test: (exchange) => applicable(exchange).test(exchange),
    received: (exchange) => judge(applicable(exchange), exchange).received,
  }
}

/** A delivered image: a success with a complete image. */
export const delivered: ResponseExpectation = {
  name: 'is delivered',
  expected: 'status 2xx with a complete image, recognized by the signature of its format',
  test: ({ status = 0, body }) => {
    const image = readImage(body)
    return status >= 200 && status < 300 && image !== undefined && isComplete(body, image)
  },
  received: describeDelivered,
}

/** A delivered image that shows this test image. */
export const shows = (testImage: TestImage): ResponseExpectation => ({
  name: 'shows the image',
  expected: `the image that was uploaded, of ${testImage.width} × ${testImage.height} pixels`,
  test: (exchange) => delivered.test(exchange) && showsTestImage(exchange.body, testImage),
  received: (exchange) =>
    delivered.test(exchange)
      ? `${describeDelivered(exchange)}, with colours other than those of the image`
      : describeDelivered(exchange),
})

/** A delivered image that shows every part of this test image in its place. */
export const showsEveryPart = (testImage: TestImage): ResponseExpectation => ({
  name: 'shows every part in its place',
  expected: 'every part of the image in its place: not mirrored, turned or cut',
  test: (exchange) => delivered.test(exchange) && showsInPlace(exchange.body, testImage),
  received: (exchange) =>
    delivered.test(exchange)
      ? `${describeDelivered(exchange)}, with colours in other places than in the image`
      : describeDelivered(exchange),
})

/** A delivered image that is not larger than this maximum, in pixels. */
export const isWithin = (width: number, height: number): ResponseExpectation => ({
  name: 'is within the maximum',
  expected: `an image of at most ${width} × ${height} pixels`,
  test: ({ body }) => {
    const image = readImage(body)
    return image !== undefined && image.width <= width && image.height <= height
  },
  received: describeDelivered,
})

/** A response that does not show this test image. An error page with status 200 is allowed. */
export const notDelivered = (testImage: TestImage): ResponseExpectation => ({
  name: 'is not delivered',
  expected: 'a response that does not contain the image',
  test: ({ status, body }) =>
    status !== undefined && (status < 200 || status >= 300 || !showsTestImage(body, testImage)),
  received: describeDelivered,
})

/** A delivered image whose Content-Type does not contradict its format. */
export const declaresFormat: ResponseExpectation = {
  name: 'has the right type',
  expected: 'the Content-Type of the image format, or no Content-Type',
  test: (exchange) => {
    const image = readImage(exchange.body)
    return image !== undefined && mayDeclare(exchange.header('content-type') ?? '', image)
  },
  received: (exchange) =>
    `${describeDelivered(exchange)}, Content-Type ${exchange.header('content-type')}`,
}

/** A response to a condition that the image does not meet. */
export const notUnmodified: ResponseExpectation = {
  name: 'is not 304',
  expected: 'a status other than 304, because the client does not have the image',
  test: ({ status }) => status !== undefined && status !== 304,
}

/** A response that delivers no image: its status is not 2xx, or its body is not an image. */
export const noImage: ResponseExpectation = {
  name: 'delivers no image',
  expected: 'a status other than 2xx, or a body that is not an image',
  test: ({ status, body }) =>
    status !== undefined && (status < 200 || status >= 300 || readImage(body) === undefined),
  received: describeDelivered,
}

/** What a delivery URL returned, for reports. */
export function describeDelivered({ status, failure, body }: HttpExchange): string {
  if (status === undefined) return missingResponse(failure)
  const image = readImage(body)
  if (image !== undefined)
    return `status ${status}, ${image.format} of ${image.width} × ${image.height} pixels${isComplete(body, image) ? '' : ', incomplete'}`
  return `status ${status}, ${body.length} bytes that are not an image`
}

/** Expects a value at a path, compared as JSON. */
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

/** An image whose direct upload is pending. */
export const isDraft = hasValue('is a draft', ['result', 'draft'], true)

/** An image that is not a draft. A server may omit the field `draft` of such an image. */
export const isNotDraft: ResponseExpectation = {
  name: 'is not a draft',
  expected: 'result.draft false or missing',
  test: (exchange) => isSuccess(exchange) && jsonAt(exchange, 'result', 'draft') !== true,
  received: (exchange) =>
    isSuccess(exchange)
      ? `result.draft ${JSON.stringify(jsonAt(exchange, 'result', 'draft'))}`
      : exchange.summary,
}

/**
 * A success with a body similar to the envelope of the contract. All checks depend on this
 * expectation, so it allows mistakes in the envelope. Other checks report these mistakes.
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

/** An image in a response. */
export type ImageRecord = Readonly<Record<string, unknown>>

/**
 * The images on a page of a list; none if the page contains no list, because other checks report
 * that.
 */
export function imagesOf(exchange: HttpExchange): ImageRecord[] {
  const images = jsonAt(exchange, 'result', 'images')
  return Array.isArray(images)
    ? images.map((image: unknown) => (Object(image) === image ? image : {}) as ImageRecord)
    : []
}

/** The ids of the images on a page of a list. */
export const idsOf = (exchange: HttpExchange): string[] =>
  imagesOf(exchange).map(({ id }) => String(id))

/** The error codes of a failure, for reports. */
export const codesOf = (exchange: HttpExchange) => {
  const errors = jsonAt(exchange, 'errors')
  return Array.isArray(errors)
    ? errors.map((error: { code?: unknown } | null) => String(error?.code)).join(', ') || 'none'
    : 'none'
}
