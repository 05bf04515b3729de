import { examples } from '../../../../generated/events/examples.ts'
import { events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { rowOf } from './acknowledging.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, hyphens, onDelivery, words } from './building.ts'

/** What a payload tells, whichever happening it is of: without its numbers, the commit ids, the ids in URLs and at the end of names. */
export const told = (payload: unknown) =>
  (JSON.stringify(payload) ?? '').replace(/[0-9a-f]{40}|(?<=":)\d+|(?<=\/)\d+|-\d{5,}/g, '')

/** For each golden payload a receiver that does not know what it tells of: an action, a state, a situation. */
export const unknownExamples: readonly ReceiverFault[] = examples.map(
  ({ event, name, payload }) => {
    const own = told(payload)
    const { header } = events[event as EventName]
    return fault(
      `example-${hyphens(event)}-${name}-breaks-it`,
      `Breaks on what the example ${name} of a ${words(event)} delivery shows.`,
      [rowOf[event as EventName]],
      onDelivery(
        () => (delivery) =>
          delivery.event === header && told(delivery.payload) === own ? 500 : undefined,
      ),
    )
  },
)
