import { onTrusted, type ReadDelivery } from '../../faults/receiver/building.ts'
import type { ReceiverDeviation } from '../../faults/receiver/fault.ts'
import type { ReceiverCall, ReceiverContext, Reply } from '../../../../mocks/stateful/receiver.ts'

// Functions that build values of factors which `ReceiverChoices` cannot express.

/** Changes every acknowledgement. */
export const changeAcknowledgements = (
  change: (reply: Reply, call: ReceiverCall) => Reply,
): ReceiverDeviation => ({
  around: async (call, next) => {
    const reply = await next()
    return reply.status < 300 ? change(reply, call) : reply
  },
})

/** Replaces the response to deliveries that are refused because of their token. */
export const replaceRefusals = (
  act: (call: ReceiverCall) => Reply | Promise<Reply>,
): ReceiverDeviation => ({
  around: async (call, next) => {
    const { rules, options } = call.server
    const reply = await next()
    return reply.status < 300 || rules.acceptsToken(call.headers['x-hook-token'], options.secret)
      ? reply
      : act(call)
  },
})

/** Refuses some of the deliveries with a valid token. */
export const refuseSome = (
  status: number,
  isRefused: (delivery: ReadDelivery, call: ReceiverCall) => boolean,
): ReceiverDeviation => ({
  around: onTrusted(async (delivery, call, next) =>
    isRefused(delivery, call) ? { status, body: { error: 'Not accepted' } } : next(),
  ),
})

/**
 * Returns a function that finds the state of a server. The state is created at the first delivery.
 */
export function newState<T>(make: () => T): (call: ReceiverCall) => T {
  const known = new WeakMap<ReceiverContext, { value: T }>()
  return ({ server }) => {
    let found = known.get(server)
    if (found === undefined) known.set(server, (found = { value: make() }))
    return found.value
  }
}
