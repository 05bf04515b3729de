import type { Delivery } from '../../../wire/index.ts'
import type { CreatedHook } from './hook.ts'
import type { HooksWorld } from './world.ts'

/** Milliseconds for which a delivery that must not come is waited for at least, once one that must has come. */
const graceMs = 250

/**
 * What has come to a hook when the delivery of another one has come that was tested later, and some time after: without that other one, silence proves
 * nothing. Undefined where nothing came there either.
 */
export async function collectUntilControlArrives(
  { testHook, receiveDelivery, wait, clock }: HooksWorld,
  quiet: CreatedHook,
  control: CreatedHook,
): Promise<readonly Delivery[] | undefined> {
  const startedAt = clock.now()
  await testHook(control)
  if ((await receiveDelivery(control, { event: 'push' })) === undefined) return undefined
  await wait(Math.max(graceMs, 3 * (clock.now() - startedAt)))
  return quiet.mailbox.deliveries
}
