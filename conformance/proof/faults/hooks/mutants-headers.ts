import type { Event } from '../../../../generated/events/contract.ts'
import { events } from '../../../../mocks/deliveries/events.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { Mutant } from '../mutants.ts'
import { withHeader, withoutHeader } from './building.ts'

/** Makes the mutants of one event that change the headers, the method or the whole body. */
export function headerMutants({
  name,
  header,
  kind: objectKind,
  requirement,
}: Event): Mutant<OutgoingDelivery>[] {
  const newMutant = (
    shortName: string,
    description: string,
    violates: Mutant['violates'],
    change: (delivery: OutgoingDelivery) => OutgoingDelivery,
  ): Mutant<OutgoingDelivery> => ({
    name: `${name} delivery: ${shortName}`,
    description: `A delivery of ${name} ${description}.`,
    violates,
    messageKind: `${name} delivery`,
    mutate: change,
  })
  const withEventHeader = (value: string) => (delivery: OutgoingDelivery) =>
    withHeader(delivery, 'X-Hook-Event', value)
  return [
    newMutant('X-Hook-Event missing', 'has no X-Hook-Event', ['EVT-HEADER-03'], (delivery) =>
      withoutHeader(delivery, 'X-Hook-Event'),
    ),
    newMutant(
      'X-Hook-Event of another event',
      'has the X-Hook-Event of another event',
      [requirement],
      withEventHeader(name === 'push' ? events.job.header : events.push.header),
    ),
    newMutant(
      'X-Hook-Event in small letters',
      'has its X-Hook-Event in lower case',
      [requirement],
      withEventHeader(header.toLowerCase()),
    ),
    newMutant(
      'X-Hook-Event of its kind',
      'has its object_kind as X-Hook-Event',
      [requirement],
      withEventHeader(objectKind),
    ),
    newMutant('User-Agent missing', 'has no User-Agent', ['EVT-HEADER-04'], (delivery) =>
      withoutHeader(delivery, 'User-Agent'),
    ),
    newMutant('Content-Type missing', 'has no Content-Type', ['EVT-DELIVERY-04'], (delivery) =>
      withoutHeader(delivery, 'Content-Type'),
    ),
    newMutant('by PUT', 'is sent by PUT', ['EVT-DELIVERY-01'], (delivery) => ({
      ...delivery,
      method: 'PUT',
    })),
    newMutant('no JSON', 'has a body without its last brace', ['EVT-DELIVERY-03'], (delivery) => ({
      ...delivery,
      raw: JSON.stringify(delivery.body).slice(0, -1),
    })),
    newMutant('no body', 'has no body', ['EVT-DELIVERY-03'], (delivery) => ({
      ...delivery,
      raw: '',
    })),
  ]
}
