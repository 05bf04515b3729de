import { beside } from '../../faults/greeting/building.ts'
import type { GreetingDeviation } from '../../faults/greeting/fault.ts'
import type { GreetingCall, Ending } from '../../../../mocks/stateful/greeting.ts'

/** Serves the streams of a connection as one thread does: each when the one before it has ended. */
export function oneByOne(): GreetingDeviation {
  const endings = new WeakMap<GreetingCall, Promise<Ending>>()
  return beside((call, open, next) => {
    const before = open.at(-2)
    // One that was cancelled while it waited has nothing more to read.
    const turn = () => (call.isGone ? { code: 1 } : next())
    const ending = Promise.resolve(before && endings.get(before)).then(turn, turn)
    endings.set(call, ending)
    return ending
  })(() => {})
}
