import type { Delivery } from '../../../wire/index.ts'
import { graceMs } from './expectations.ts'
import type { CreatedHook } from './hook.ts'
import type { HooksWorld } from './world.ts'

/**
 * Sends a test call for the hook `control`, waits for its delivery, and then a while longer.
 * Returns all deliveries to the hook `silent`. Returns undefined if `control` received nothing,
 * because then the absence of deliveries to `silent` proves nothing.
 */
export async function collectUntilControlArrives(
  { testHook, receiveDelivery, wait, clock }: HooksWorld,
  silent: CreatedHook,
  control: CreatedHook,
): Promise<readonly Delivery[] | undefined> {
  const startedAt = clock.now()
  await testHook(control)
  if ((await receiveDelivery(control, { event: 'push' })) === undefined) return undefined
  await wait(
    Math.max(graceMs, 3 * (clock.now() - startedAt)),
    'the end of the time in which no delivery may arrive',
  )
  return silent.mailbox.deliveries
}
