import { isObject, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { furtherActions, type FurtherAction } from '../support/actions.ts'
import { deliveryCheck } from '../support/define.ts'
import type { CreatedHook } from '../support/hook.ts'
import {
  inTurn,
  requireDelivery,
  sharedHookOfAllEvents,
  triggerOnce,
} from '../support/project-events.ts'
import { graceMs } from '../support/expectations.ts'
import { valueAt } from '../support/rules/rule.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksWorld } from '../support/world.ts'

const flag = 'merge_requests_events'
const event = 'merge_request'

/** Actions that a service must not mistake for one another. */
const opposites: Readonly<Partial<Record<FurtherAction, FurtherAction>>> = {
  approved: 'unapproved',
  unapproved: 'approved',
}

// EVT-MERGEREQUEST-03 covers the X-Hook-Event header.
const isMergeRequest = ({ json }: Delivery) => isObject(json) && json['object_kind'] === event
const actionOf = ({ json }: Delivery) =>
  isObject(json) ? valueAt(json, '/object_attributes/action') : undefined

/** Opens a merge request, and returns how long its delivery took, in milliseconds. */
async function openMergeRequest(world: HooksWorld, hook: CreatedHook): Promise<number> {
  const { triggerEvent, receiveAmongOthers, clock, target } = world
  const startedAt = clock.now()
  const known = new Set(hook.mailbox.deliveries)
  await triggerEvent(flag, target.trigger?.actions?.includes('open') ? 'open' : undefined)
  const isNew = (delivery: Delivery) => isMergeRequest(delivery) && !known.has(delivery)
  if ((await receiveAmongOthers(hook, { event }, isMergeRequest, isNew)) === undefined)
    throw new NotCovered('nothing was delivered for an open merge request')
  return clock.now() - startedAt
}

/**
 * Causes an action, and returns the new deliveries; undefined if the endpoint or the program cannot
 * cause it. The document does not list these actions as causes of events, so a service may deliver
 * nothing. The watching checks examine what it delivers.
 */
async function causeAction(
  { triggerEvent, receiveDelivery, deliveryTimeoutMs }: HooksWorld,
  hook: CreatedHook,
  action: FurtherAction,
  within: number,
): Promise<readonly Delivery[] | undefined> {
  const { mailbox } = hook
  const known = new Set(mailbox.deliveries.map(({ body }) => body.toString()))
  try {
    await triggerEvent(flag, action)
  } catch (error) {
    if (error instanceof NotCovered) return undefined
    throw error
  }
  const isNew = (delivery: Delivery) =>
    isMergeRequest(delivery) && !known.has(delivery.body.toString())
  const isWanted = (delivery: Delivery) => isNew(delivery) && actionOf(delivery) === action
  const opposite = opposites[action]
  if (
    (await receiveDelivery(hook, { event }, within, isWanted)) === undefined &&
    mailbox.deliveries.some((delivery) => isNew(delivery) && actionOf(delivery) === opposite)
  )
    await receiveDelivery(hook, { event }, deliveryTimeoutMs, isWanted)
  while ((await receiveDelivery(hook, { event }, 0, isNew)) !== undefined);
  return mailbox.deliveries.filter(isNew)
}

const namesAction = (action: FurtherAction): Expectation<readonly Delivery[]> => ({
  name: 'names the action that happened',
  expected: `object_attributes.action ${JSON.stringify(action)}`,
  test: (deliveries) => {
    const actions = deliveries.map(actionOf)
    return actions.includes(action) || !actions.includes(opposites[action])
  },
  received: (deliveries) => deliveries.map((delivery) => String(actionOf(delivery))).join(', '),
})

export const furtherActionsChecks = [
  deliveryCheck('EVT-MERGEREQUEST-46', {
    title: 'names the approval of a merge request and its withdrawal, if it delivers them',
    root: 'HOOK-TEST-02',
    needs: [`hooks.trigger.${flag}`, 'hooks.trigger.actions'],
    async run(world) {
      const declared: readonly string[] = world.target.trigger!.actions!
      const actions = furtherActions.filter((action) => declared.includes(action))
      if (actions.length === 0)
        throw new NotCovered<HooksNeed>(
          `hooks.trigger.actions contains none of ${furtherActions.join(', ')}`,
          ['hooks.trigger.actions'],
        )
      requireDelivery(await triggerOnce(world, event), 'EVT-MERGEREQUEST-01')
      const hook = await sharedHookOfAllEvents(world)
      const delivered = await inTurn(world, async () => {
        const within = Math.max(graceMs, 3 * (await openMergeRequest(world, hook)))
        const found: [FurtherAction, readonly Delivery[]][] = []
        for (const action of actions) {
          const deliveries = (await causeAction(world, hook, action, within)) ?? []
          if (deliveries.length > 0) found.push([action, deliveries])
        }
        return found
      })
      if (delivered.length === 0)
        throw new NotCovered(`nothing was delivered for ${actions.join(', ')}`)
      for (const [action, deliveries] of delivered)
        world.expectValue(deliveries, namesAction(action))
    },
  }),
]
