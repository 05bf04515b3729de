import { trusted, type Delivery } from '../../faults/receiver/building.ts'
import type { Deviation } from '../../faults/receiver/fault.ts'
import type { Call, Context, Reply } from '../../../../mocks/stateful/receiver.ts'

// What the levels that `Choices` has no word for are built from.

/** Changes every acknowledgement. */
export const acknowledging = (change: (reply: Reply, call: Call) => Reply): Deviation => ({
  around: async (call, next) => {
    const reply = await next()
    return reply.status < 300 ? change(reply, call) : reply
  },
})

/** Does something else with a delivery that it refuses for its token. */
export const refusing = (act: (call: Call) => Reply | Promise<Reply>): Deviation => ({
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
  is: (delivery: Delivery, call: Call) => boolean,
): Deviation => ({
  around: trusted(async (delivery, call, next) =>
    is(delivery, call) ? { status, body: { error: 'Not taken' } } : next(),
  ),
})

/** Something that a server keeps for itself: made at its first delivery, forgotten with it. */
export function kept<T>(make: () => T): (call: Call) => T {
  const known = new WeakMap<Context, { value: T }>()
  return ({ server }) => {
    let found = known.get(server)
    if (found === undefined) known.set(server, (found = { value: make() }))
    return found.value
  }
}
