import { type Event, events } from '../../../../generated/events/contract.ts'
import { expectedOf } from './expectations.ts'
import { type DeliveryPayload, isName, violationsOf } from './rules.ts'
import type { HooksMessage } from './world.ts'
import { Delivery } from '../../../wire/index.ts'

// Each requirement of the payload schemas has one watching check, which examines all deliveries. So
// a field that is missing in every delivery is reported once.

interface Examined {
  event: Event
  body: Readonly<Record<string, unknown>>
  violations: ReturnType<Event['payload']['validate']>
}

/**
 * Whether a violation is about a name that the document does not state for events of confidential
 * issues. EVT-EVENT-14 and EVT-EVENT-15 cover their object_kind.
 */
const isNamedFreely = (path: string, body: DeliveryPayload) =>
  path === '/object_kind' || (path === '/event_type' && isName(body['event_type']))

const examined = new WeakMap<Delivery, Examined>()

/**
 * Validates a delivery that the suite triggered against the schema of its event. Returns undefined
 * for other messages and for bodies that are not objects.
 */
export function examinePayload(message: HooksMessage): Examined | undefined {
  if (!(message instanceof Delivery)) return undefined
  const cached = examined.get(message)
  if (cached !== undefined) return cached
  const expected = expectedOf(message)
  const body = message.json
  if (expected === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return undefined
  const event = events[expected.event]
  const result = {
    event,
    body: body as DeliveryPayload,
    violations: violationsOf(event, body as DeliveryPayload).filter(
      ({ path }) =>
        expected.isConfidential !== true || !isNamedFreely(path, body as DeliveryPayload),
    ),
  }
  examined.set(message, result)
  return result
}
