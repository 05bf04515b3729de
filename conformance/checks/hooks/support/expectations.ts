import type { Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange } from '../../../wire/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import type { EventName } from '../../../../generated/events/names.ts'
import type { CreatedHook } from './hook.ts'
import { eventOfKind } from './rules.ts'

/** The hook and the event that the suite triggered. The event may differ from the named one. */
export interface ExpectedDelivery {
  event: EventName
  hook: CreatedHook
}

const known = new WeakMap<object, ExpectedDelivery>()

/** Sets what a delivery must be. */
export function setExpected(delivery: Delivery, expected: ExpectedDelivery): void {
  known.set(delivery, expected)
}

/** The kind of a delivery, as in `Message.kind`. */
export function kindOf(delivery: Delivery): string {
  const expected = known.get(delivery)
  return expected === undefined ? 'delivery' : `${expected.event} delivery`
}

/** What a message must be; undefined if it is not a delivery that the suite triggered. */
export function expectedOf(message: object): ExpectedDelivery | undefined {
  return known.get(message)
}

const headers = new Set(Object.values(events).map(({ header }) => header))

/**
 * Whether a request to a hook's URL is not a delivery: the document does not forbid a service to
 * greet a new hook, or to probe its URL. That must be evident from the request: it names an unknown
 * event in header and body, or has neither.
 */
export function isUnrelatedRequest(request: Delivery): boolean {
  const named = request.header('x-hook-event') ?? ''
  if (named === '') return request.body.length === 0
  const { object_kind: kind } = (request.json ?? {}) as { object_kind?: unknown }
  return !headers.has(named) && kind !== undefined && eventOfKind(kind) === undefined
}

/** A response to the token alone, which proves nothing about the request. */
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

/** A delivery arrived. */
export const arrives: Expectation<Delivery | undefined> = {
  name: 'arrives',
  expected: 'a delivery at the URL of the hook',
  test: (delivery) => delivery !== undefined,
  received: () => 'no delivery within the timeout (suite.patience)',
}
