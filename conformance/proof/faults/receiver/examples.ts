import { examples } from '../../../../generated/events/examples.ts'
import { events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { requirementsByEvent } from './acknowledging.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, toHyphens, onDelivery, toWords } from './building.ts'

/**
 * Returns the JSON of a payload without the parts that differ between two payloads of the same
 * situation: numbers, commit ids, and ids in URLs and at the end of slugs.
 */
export const contentOf = (payload: unknown) =>
  (JSON.stringify(payload) ?? '').replace(/[0-9a-f]{40}|(?<=":)\d+|(?<=\/)\d+|-\d{5,}/g, '')

/** For each sample payload, a receiver that fails on payloads with the same content. */
export const unknownExamples: readonly ReceiverFault[] = examples.map(
  ({ event, name, payload }) => {
    const own = contentOf(payload)
    const { header } = events[event as EventName]
    return fault(
      `example-${toHyphens(event)}-${name}-breaks-it`,
      `Returns 500 for ${toWords(event)} deliveries with the content of the example ${name}.`,
      [requirementsByEvent[event as EventName]],
      onDelivery(
        () => (delivery) =>
          delivery.event === header && contentOf(delivery.payload) === own ? 500 : undefined,
      ),
    )
  },
)
