import { withOpenStreams } from '../../faults/greeting/building.ts'
import type { GreetingDeviation } from '../../faults/greeting/fault.ts'
import type { GreetingCall, Ending } from '../../../../mocks/stateful/greeting.ts'

/**
 * Serves the streams of a connection like a single thread: each when the previous one has ended.
 */
export function inSequence(): GreetingDeviation {
  const endings = new WeakMap<GreetingCall, Promise<Ending>>()
  return withOpenStreams((call, open, next) => {
    const before = open.at(-2)
    // A stream that was cancelled while it waited has nothing more to read.
    const serve = () => (call.hasDisconnected ? { code: 1 } : next())
    const ending = Promise.resolve(before && endings.get(before)).then(serve, serve)
    endings.set(call, ending)
    return ending
  })(() => {})
}
