import { eventNames } from '../../../../generated/events/names.ts'
import { Delivery } from '../../../wire/index.ts'
import { expectedOf } from './expectations.ts'
import { deliveryRoots } from './roots.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksMessage } from './world.ts'

/** What checks need that watch deliveries, and whose deliveries they live on. */
export const deliveryNeeds: readonly HooksNeed[] = ['hooks.state', 'suite.receiver']
export const deliverySources = eventNames.map((event) => deliveryRoots[event])

/** One expectation of each delivery that was asked for. */
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
