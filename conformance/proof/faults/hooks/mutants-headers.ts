import type { Event } from '../../../../generated/events/contract.ts'
import { events } from '../../../../mocks/deliveries/events.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { Mutant } from '../mutants.ts'
import { withHeader, withoutHeader } from './building.ts'

/** What stands around the payload of each event: its headers, its method, and the bytes of its body. */
export function ofHeaders({
  name,
  header,
  kind: objectKind,
  requirement: row,
}: Event): Mutant<OutgoingDelivery>[] {
  const made = (
    how: string,
    description: string,
    violates: Mutant['violates'],
    change: (delivery: OutgoingDelivery) => OutgoingDelivery,
  ): Mutant<OutgoingDelivery> => ({
    name: `${name} delivery: ${how}`,
    description: `A delivery of ${name} ${description}.`,
    violates,
    messageKind: `${name} delivery`,
    mutate: change,
  })
  const named = (value: string) => (delivery: OutgoingDelivery) =>
    withHeader(delivery, 'X-Hook-Event', value)
  return [
    made(
      'X-Hook-Event missing',
      'does not say in a header which event it is',
      ['EVT-HEADER-03'],
      (delivery) => withoutHeader(delivery, 'X-Hook-Event'),
    ),
    made(
      'X-Hook-Event of another event',
      "has another event's X-Hook-Event",
      [row],
      named(name === 'push' ? events.job.header : events.push.header),
    ),
    made(
      'X-Hook-Event in small letters',
      'has its X-Hook-Event in small letters',
      [row],
      named(header.toLowerCase()),
    ),
    made(
      'X-Hook-Event of its kind',
      'has its object_kind for X-Hook-Event',
      [row],
      named(objectKind),
    ),
    made('User-Agent missing', 'does not name its product', ['EVT-HEADER-04'], (delivery) =>
      withoutHeader(delivery, 'User-Agent'),
    ),
    made('Content-Type missing', 'does not say that it is JSON', ['EVT-DELIVERY-04'], (delivery) =>
      withoutHeader(delivery, 'Content-Type'),
    ),
    made('by PUT', 'comes by PUT', ['EVT-DELIVERY-01'], (delivery) => ({
      ...delivery,
      method: 'PUT',
    })),
    made('no JSON', 'breaks off before its last brace', ['EVT-DELIVERY-03'], (delivery) => ({
      ...delivery,
      raw: JSON.stringify(delivery.body).slice(0, -1),
    })),
    made('no body', 'has no body', ['EVT-DELIVERY-03'], (delivery) => ({ ...delivery, raw: '' })),
  ]
}
