import { NotCovered } from '../../../engine/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { isPush, isSuccess } from '../support/expectations.ts'
import type { CreatedHook } from '../support/hook.ts'
import type { HooksWorld } from '../support/world.ts'

/**
 * How many hooks get the same response. A service may send any delivery twice. But if it sends all
 * of these twice after one status, and none after another, the status is the reason.
 */
const hooksOfEachStatus = 6

const statuses = [200, 202, 204] as const
type Status = (typeof statuses)[number]

/**
 * Sends a test call for a hook whose receiver responds with this status. Returns undefined if
 * nothing is delivered.
 */
async function deliverOnce(
  { createHook, send, request, receiveDelivery }: HooksWorld,
  status: Status,
): Promise<{ status: Status; hook: CreatedHook } | undefined> {
  const hook = await createHook({ push_events: true })
  hook.mailbox.response = { status }
  if (!isSuccess(await send(request.test(hook.id, 'push_events')))) return undefined
  const first = await receiveDelivery(hook, { event: 'push' })
  return first === undefined ? undefined : { status, hook }
}

export const acknowledgementsChecks = [
  deliveryCheck('EVT-FAILURE-08', {
    title: 'repeats a delivery after 202 or 204 no more often than after 200',
    root: 'HOOK-TEST-02',
    // The check makes many requests, one after the other.
    sendsEarly: true,
    async run(world) {
      const { randomInt, wait, watchMs, expectValue } = world
      // Sends the test calls in random order and one at a time, because a service may repeat, for
      // example, every second delivery.
      const rest = statuses.flatMap((status) =>
        Array.from({ length: hooksOfEachStatus }, () => status),
      )
      const delivered: { status: Status; hook: CreatedHook }[] = []
      while (rest.length > 0) {
        const [status] = rest.splice(randomInt(0, rest.length), 1)
        const one = await deliverOnce(world, status!)
        if (one !== undefined) delivered.push(one)
      }
      await wait(watchMs, 'repeated deliveries')
      const countsOf = (wanted: Status) =>
        delivered
          .filter(({ status }) => status === wanted)
          .map(({ hook }) => hook.mailbox.deliveries.filter(isPush).length)
      const ok = countsOf(200)
      if (ok.length < hooksOfEachStatus)
        throw new NotCovered(
          'some test calls of hooks whose receiver returns 200 failed or caused no delivery',
        )
      const most = Math.max(...ok)
      for (const status of [202, 204] as const) {
        const counts = countsOf(status)
        // A service may report the result of the delivery in its response to the test call.
        if (counts.length < hooksOfEachStatus)
          throw new NotCovered(
            `some test calls of hooks whose receiver returns ${status} failed or caused no delivery`,
          )
        expectValue(counts, {
          name: `a receiver that returns ${status}: acknowledges`,
          expected: `at most ${most} ${most === 1 ? 'delivery' : 'deliveries'} to at least one hook, as after a 200`,
          test: (found) => found.some((count) => count <= most),
          received: (found) => `${Math.min(...found)} or more deliveries to each hook`,
        })
      }
    },
  }),
]
