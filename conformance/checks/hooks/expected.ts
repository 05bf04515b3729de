import type { EventName } from '../../../generated/events/names.ts'
import type { Delivery } from '../../wire/index.ts'
import type { Hook } from './world.ts'

/** What a delivery is expected to be: what was asked for, whatever it says of itself. */
export interface Expected {
  event: EventName
  hook: Hook
}

const known = new WeakMap<object, Expected>()

/** Notes what a delivery is expected to be. */
export function note(delivery: Delivery, expected: Expected): void {
  known.set(delivery, expected)
}

/** The kind of a delivery, as the proof names it. */
export function kindOf(delivery: Delivery): string {
  const expected = known.get(delivery)
  return expected === undefined ? 'delivery' : `${expected.event} delivery`
}

/** What a message is expected to be, where it is a delivery that was asked for. */
export function expectedOf(message: object): Expected | undefined {
  return known.get(message)
}
