import { events } from '../../../generated/events/contract.ts'
import type { Outgoing } from '../../stateful/hooks.ts'
import { ofField } from '../mutants.ts'
import type { MutantFault } from './fault.ts'

/** The contract mutants of the payloads: one place of every delivery of one event, changed in one way that the contract forbids. */
export const mutants: readonly MutantFault[] = Object.values(events).flatMap(({ name: event, payload }) =>
  payload.fields
    .flatMap((field) => ofField<Outgoing>(`${event} delivery`, `a delivery of ${event}`, field))
    .map(({ name, says, violates, kind, mutate }) => ({
      name,
      says,
      violates,
      kind,
      make: (hit) => ({
        delivering: (delivery) => {
          if (delivery.event !== event) return delivery
          const mutated = mutate(delivery)
          if (mutated !== undefined) hit()
          return mutated ?? delivery
        },
      }),
    })),
)
