import { events, type EventName } from '../../../../generated/events/contract.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import { fieldMutants, type Mutant } from '../mutants.ts'
import type { HooksMutantFault } from './fault.ts'
import { headerMutants } from './mutants-headers.ts'
import { objectMutants } from './mutants-objects.ts'

/**
 * The mutants of the deliveries. Each changes all deliveries of one event in one way that the
 * contract forbids: a field, an object, a header, the method or the body.
 */
export const mutants: readonly HooksMutantFault[] = Object.values(events).flatMap((event) => {
  const { name, payload } = event
  return [
    ...payload.fields.flatMap((field) =>
      fieldMutants<OutgoingDelivery>(`${name} delivery`, `a delivery of ${name}`, field),
    ),
    ...objectMutants(name, payload.fields),
    ...headerMutants(event),
  ].map((mutant) => newMutantFault(name, mutant))
})

function newMutantFault(
  event: EventName,
  { name, description, violates, messageKind: kind, mutate }: Mutant<OutgoingDelivery>,
): HooksMutantFault {
  return {
    name,
    description,
    violates,
    messageKind: kind,
    make: (hit) => ({
      beforeDelivery: (delivery) => {
        if (delivery.event !== event) return delivery
        const mutated = mutate(delivery)
        if (mutated !== undefined) hit()
        return mutated ?? delivery
      },
    }),
  }
}
