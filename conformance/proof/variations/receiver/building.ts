import { trusted, type ReadDelivery } from '../../faults/receiver/building.ts'
import type { ReceiverDeviation } from '../../faults/receiver/fault.ts'
import type { ReceiverCall, ReceiverContext, Reply } from '../../../../mocks/stateful/receiver.ts'

// What the levels that `ReceiverChoices` has no word for are built from.

/** Changes every acknowledgement. */
export const acknowledging = (
  change: (reply: Reply, call: ReceiverCall) => Reply,
): ReceiverDeviation => ({
  around: async (call, next) => {
    const reply = await next()
    return reply.status < 300 ? change(reply, call) : reply
  },
})

/** Does something else with a delivery that it refuses for its token. */
export const refusing = (
  act: (call: ReceiverCall) => Reply | Promise<Reply>,
): ReceiverDeviation => ({
  around: async (call, next) => {
    const { rules, options } = call.server
    const reply = await next()
    return reply.status < 300 || rules.trusts(call.headers['x-hook-token'], options.secret)
      ? reply
      : act(call)
  },
})

/** Refuses some of the deliveries that have the right token. */
export const declining = (
  status: number,
  is: (delivery: ReadDelivery, call: ReceiverCall) => boolean,
): ReceiverDeviation => ({
  around: trusted(async (delivery, call, next) =>
    is(delivery, call) ? { status, body: { error: 'Not taken' } } : next(),
  ),
})

/** Something that a server keeps for itself: made at its first delivery, forgotten with it. */
export function kept<T>(make: () => T): (call: ReceiverCall) => T {
  const known = new WeakMap<ReceiverContext, { value: T }>()
  return ({ server }) => {
    let found = known.get(server)
    if (found === undefined) known.set(server, (found = { value: make() }))
    return found.value
  }
}
