import { eventNames } from '../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Delivery } from '../../../wire/index.ts'
import { expectedOf } from './expectations.ts'
import { deliveryRoots } from './roots.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksMessage } from './world.ts'

/** The keys of the target file that a check needs if it examines deliveries. */
export const deliveryNeeds: readonly HooksNeed[] = ['hooks.state', 'suite.receiver']
/** The requirements whose checks trigger deliveries. */
export const deliverySources: readonly RequirementId[] = [
  ...eventNames.map((event) => deliveryRoots[event]),
  'EVT-EVENT-12',
]

/**
 * Returns a function that tests one expectation on each delivery that the suite triggered.
 * `test` returns undefined if the expectation does not apply to a delivery.
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
