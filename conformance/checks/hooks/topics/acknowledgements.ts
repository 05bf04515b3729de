import { NotCovered } from '../../../engine/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { isPush, isSuccess } from '../support/expectations.ts'
import type { HooksWorld } from '../support/world.ts'

/** How many hooks get the same response. A delivery may be repeated by chance, for one hook. */
const hooksOfEachStatus = 2

/** Sends a test call for each of several hooks, and returns how often each was delivered. */
async function countDeliveries(
  { createHook, send, request, receiveDelivery, wait, watchMs }: HooksWorld,
  status: number,
): Promise<readonly number[]> {
  const counts = await Promise.all(
    Array.from({ length: hooksOfEachStatus }, async () => {
      const hook = await createHook({ push_events: true })
      hook.mailbox.response = { status }
      // The status of the test call does not matter: it may report the result of the delivery.
      const response = await send(request.test(hook.id, 'push_events'))
      if ((await receiveDelivery(hook, { event: 'push' })) === undefined) return undefined
      await wait(watchMs)
      return isSuccess(response) ? hook.mailbox.deliveries.filter(isPush).length : undefined
    }),
  )
  return counts.filter((count) => count !== undefined)
}

export const acknowledgementsChecks = [
  deliveryCheck('EVT-FAILURE-08', {
    title: 'repeats a delivery after 202 or 204 no more often than after 200',
    root: 'HOOK-TEST-02',
    async run(world) {
      const [ok, accepted, noContent] = await Promise.all(
        [200, 202, 204].map((status) => countDeliveries(world, status)),
      )
      if (ok!.length === 0)
        throw new NotCovered('nothing was delivered for a test call whose delivery gets a 200')
      const most = Math.max(...ok!)
      for (const [status, counts] of [
        [202, accepted!],
        [204, noContent!],
      ] as const) {
        if (counts.length === 0) continue
        world.expectValue(counts, {
          name: `${status} acknowledges`,
          expected: `at most ${most} deliveries to at least one hook, as after a 200`,
          test: (found) => found.some((count) => count <= most),
          received: (found) => `${Math.min(...found)} deliveries to each hook`,
        })
      }
    },
  }),
]
