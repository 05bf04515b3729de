import { eventNames } from '../../../../generated/events/names.ts'
import { Delivery } from '../../../wire/index.ts'
import { expectedOf } from './expectations.ts'
import { deliveryRoots } from './roots.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksMessage } from './world.ts'

/** What checks need that watch deliveries, and the requirements whose checks trigger them. */
export const deliveryNeeds: readonly HooksNeed[] = ['hooks.state', 'suite.receiver']
export const deliverySources = eventNames.map((event) => deliveryRoots[event])

/**
 * Examines each expected delivery with one expectation. `test` returns undefined if it does not
 * apply.
 */
export function examineEach(
  name: string,
  expected: string,
  test: (delivery: Delivery) => boolean | undefined,
  received: (delivery: Delivery) => string,
) {
  return (message: HooksMessage) => {
    if (!(message instanceof Delivery) || expectedOf(message) === undefined) return []
    const held = test(message)
    return held === undefined
      ? []
      : [{ name, held, expected, received: held ? 'as expected' : received(message) }]
  }
}
