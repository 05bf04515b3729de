import type { Delivery } from '../../../wire/index.ts'
import { graceMs } from './expectations.ts'
import type { CreatedHook } from './hook.ts'
import type { HooksWorld } from './world.ts'

/**
 * Sends a test call for the hook `control`, and waits for its delivery. Returns how many
 * milliseconds both took; undefined if nothing was delivered.
 */
export async function deliverControl(
  { testHook, receiveDelivery, clock }: HooksWorld,
  control: CreatedHook,
): Promise<number | undefined> {
  const startedAt = clock.now()
  await testHook(control)
  const delivery = await receiveDelivery(control, { event: 'push' })
  return delivery === undefined ? undefined : clock.now() - startedAt
}

/**
 * Waits a while after a delivery to another hook, which took `controlMs` milliseconds. Returns all
 * deliveries to the hook `silent`.
 */
export async function collectUnwanted(
  { wait }: HooksWorld,
  silent: CreatedHook,
  controlMs: number,
): Promise<readonly Delivery[]> {
  await wait(
    Math.max(graceMs, 3 * controlMs),
    'the end of the time in which no delivery may arrive',
  )
  return silent.mailbox.deliveries
}

/**
 * Sends a test call for the hook `control`, waits for its delivery, and then a while longer.
 * Returns all deliveries to the hook `silent`. Returns undefined if `control` received nothing,
 * because then the absence of deliveries to `silent` proves nothing.
 */
export async function collectUntilControlArrives(
  world: HooksWorld,
  silent: CreatedHook,
  control: CreatedHook,
): Promise<readonly Delivery[] | undefined> {
  const controlMs = await deliverControl(world, control)
  return controlMs === undefined ? undefined : collectUnwanted(world, silent, controlMs)
}
