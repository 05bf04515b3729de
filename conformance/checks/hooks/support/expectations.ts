import type { Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange } from '../../../wire/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import type { EventName } from '../../../../generated/events/names.ts'
import type { CreatedHook } from './hook.ts'
import { eventOfKind } from './rules.ts'

/** What a delivery is expected to be: what was asked for, whatever it says of itself. */
export interface ExpectedDelivery {
  event: EventName
  hook: CreatedHook
}

const known = new WeakMap<object, ExpectedDelivery>()

/** Notes what a delivery is expected to be. */
export function setExpected(delivery: Delivery, expected: ExpectedDelivery): void {
  known.set(delivery, expected)
}

/** The kind of a delivery, as the proof names it. */
export function kindOf(delivery: Delivery): string {
  const expected = known.get(delivery)
  return expected === undefined ? 'delivery' : `${expected.event} delivery`
}

/** What a message is expected to be, where it is a delivery that was asked for. */
export function expectedOf(message: object): ExpectedDelivery | undefined {
  return known.get(message)
}

const headers = new Set(Object.values(events).map(({ header }) => header))

/**
 * Whether a request at a hook's url is no delivery of any event: the document does not forbid a service to greet a new hook, or to look whether its url
 * answers. It must be plain from the request itself: it names an event that there is not, in its header and in its body, or brings neither header nor body.
 */
export function isUnrelatedRequest(request: Delivery): boolean {
  const named = request.header('x-hook-event') ?? ''
  if (named === '') return request.body.length === 0
  const { object_kind: kind } = (request.json ?? {}) as { object_kind?: unknown }
  return !headers.has(named) && kind !== undefined && eventOfKind(kind) === undefined
}

/** A request that is turned away for its token says nothing about what it asks for. */
export const isUnauthorized = ({ status }: HttpExchange): boolean =>
  status === 401 || status === 403

/** That something came at all. */
export const arrives: Expectation<Delivery | undefined> = {
  name: 'arrives',
  expected: 'a delivery at the url of the hook',
  test: (delivery) => delivery !== undefined,
  received: () => 'none in time',
}
