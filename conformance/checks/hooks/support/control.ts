import type { Delivery } from '../../../wire/index.ts'
import type { CreatedHook } from './hook.ts'
import type { HooksWorld } from './world.ts'

/**
 * How long to wait at least for an unwanted delivery after the control's delivery has arrived, in
 * milliseconds.
 */
const graceMs = 250

/**
 * Tests a control hook, and returns what a hook that was tested earlier has received some time
 * after the control's delivery has arrived. Undefined if the control received nothing: silence
 * proves nothing then.
 */
export async function collectUntilControlArrives(
  { testHook, receiveDelivery, wait, clock }: HooksWorld,
  silent: CreatedHook,
  control: CreatedHook,
): Promise<readonly Delivery[] | undefined> {
  const startedAt = clock.now()
  await testHook(control)
  if ((await receiveDelivery(control, { event: 'push' })) === undefined) return undefined
  await wait(Math.max(graceMs, 3 * (clock.now() - startedAt)))
  return silent.mailbox.deliveries
}
