import { isObject, type Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange } from '../../../wire/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import type { EventName } from '../../../../generated/events/names.ts'
import type { CreatedHook } from './hook.ts'
import { eventOfKind } from './rules.ts'

/** The delivery that the suite tried to cause. A broken service may deliver a different event. */
export interface ExpectedDelivery {
  event: EventName
  hook: CreatedHook
  /**
   * Whether the event is about a confidential issue. The document does not state the X-Hook-Event
   * header or the object_kind of these events.
   */
  isConfidential?: boolean
}

const expectedDeliveries = new WeakMap<object, ExpectedDelivery>()

/** Records which delivery the suite tried to cause when `delivery` arrived. */
export function setExpected(delivery: Delivery, expected: ExpectedDelivery): void {
  expectedDeliveries.set(delivery, expected)
}

/** The kind of a delivery, as in `Message.kind`. */
export function kindOf(delivery: Delivery): string {
  const expected = expectedDeliveries.get(delivery)
  return expected === undefined ? 'delivery' : `${expected.event} delivery`
}

/** Which delivery the suite tried to cause; undefined if the message is not such a delivery. */
export function expectedOf(message: object): ExpectedDelivery | undefined {
  return expectedDeliveries.get(message)
}

const headers = new Set(Object.values(events).map(({ header }) => header))

/**
 * Whether a request to a hook's URL has nothing to do with events. A service may, for example,
 * probe the URL of a new hook. Such a request has neither an event header nor a body, or names an
 * unknown event in both.
 */
export function isUnrelatedRequest(request: Delivery): boolean {
  const named = request.header('x-hook-event') ?? ''
  if (named === '') return request.body.length === 0
  const { object_kind: kind } = (request.json ?? {}) as { object_kind?: unknown }
  return !headers.has(named) && kind !== undefined && eventOfKind(kind) === undefined
}

/**
 * Whether a request may be the delivery for a confidential issue, whose names are open: it has the
 * attributes of an object.
 */
export const mayBeConfidentialIssue = ({ json }: Delivery): boolean =>
  isObject(json) && isObject(json['object_attributes'])

/** Whether the service refused the access token. The response then proves nothing else. */
export const isUnauthorized = ({ status }: HttpExchange): boolean =>
  status === 401 || status === 403

export const isSuccess = ({ status = 0 }: HttpExchange): boolean => status >= 200 && status < 300

/** The document states no statuses. A 2xx status is a success (RFC 9110). */
export const succeeded: Expectation<HttpExchange> = {
  name: 'succeeds',
  expected: 'status 2xx',
  test: isSuccess,
}

/** The status of a response, or why there is none, for reports. */
export const statusOf = ({ status, failure }: HttpExchange): string =>
  status === undefined ? `no response (${failure ?? 'nothing was received'})` : `status ${status}`

/** Expects that a delivery arrived. `received` describes its absence. */
export const arrives = (received: () => string): Expectation<Delivery | undefined> => ({
  name: 'arrives',
  expected: 'a delivery at the URL of the hook',
  test: (delivery) => delivery !== undefined,
  received,
})

/** Expects that a list of unwanted deliveries is empty. `expected` describes their absence. */
export const receivesNothing = (
  name: string,
  expected = 'no delivery of a push to the URL of the hook',
): Expectation<readonly Delivery[]> => ({
  name,
  expected,
  test: ({ length }) => length === 0,
  received: ([first]) => first!.summary,
})

/**
 * The minimum time, in milliseconds, to wait for unwanted deliveries, which a conforming service
 * does not send.
 */
export const graceMs = 250

/**
 * Whether a request is a delivery of a push, as after a test call for push_events. A service may
 * also send other requests to a new hook.
 */
export const isPush = (delivery: Delivery): boolean =>
  delivery.header('x-hook-event') === events.push.header ||
  (delivery.json as { object_kind?: unknown } | null | undefined)?.object_kind === 'push'
