import { labelled, NotCovered, type Expectation } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { flags } from '../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { actionsOf, type EventWithActions } from '../support/actions.ts'
import { deliveryCheck } from '../support/define.ts'
import type { CreatedHook } from '../support/hook.ts'
import { describeCauses, describeMissing, type Cause } from '../support/missing-delivery.ts'
import { inTurn, isOf, onlyFlag, requireDelivery, triggerOnce } from '../support/project-events.ts'
import { isZeros } from '../support/rules/pushes.ts'
import { describe, valueAt, type DeliveryPayload } from '../support/rules/rule.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksWorld } from '../support/world.ts'

/** Where the payload of an event contains its action. */
interface ActionSource {
  requirement: RequirementId
  /** What the document calls the action of this event. */
  noun: 'action' | 'status'
  /** Describes a delivery that contains this action, for reports. */
  expected(action: string): string
  /** Describes deliveries that contain only these actions, for reports. */
  received(actions: readonly unknown[]): string
  read(payload: DeliveryPayload): unknown
}

/** The action is the value of one field. */
function sourceAt(requirement: RequirementId, path: string): ActionSource {
  const field = path.slice(1).replaceAll('/', '.')
  return {
    requirement,
    noun: path.endsWith('status') ? 'status' : 'action',
    expected: (action) => `a delivery with ${describe(action)} in ${field}`,
    received: (actions) => {
      const values = actions.filter((action) => action !== undefined)
      const parts = [
        ...(values.length > 0 ? [`with ${values.map(describe).join(' or ')} in ${field}`] : []),
        ...(values.length < actions.length ? [`without ${field}`] : []),
      ]
      return `only deliveries ${parts.join(', or ')}`
    },
    read: (payload) => valueAt(payload, path),
  }
}

const actionSources: Readonly<Record<EventWithActions, ActionSource>> = {
  tag_push: {
    requirement: 'EVT-TAGPUSH-01',
    noun: 'action',
    expected: (action) =>
      `a delivery whose fields before and after show the action ${describe(action)}`,
    received: (actions) =>
      `only deliveries whose fields before and after show the action ${actions.map(describe).join(' or ')}`,
    read: ({ before, after }) =>
      isZeros(before) ? 'create' : isZeros(after) ? 'delete' : 'neither create nor delete',
  },
  issue: sourceAt('EVT-ISSUE-01', '/object_attributes/action'),
  merge_request: sourceAt('EVT-MERGEREQUEST-01', '/object_attributes/action'),
  pipeline: sourceAt('EVT-PIPELINE-01', '/object_attributes/status'),
  job: sourceAt('EVT-JOB-01', '/build_status'),
  deployment: sourceAt('EVT-DEPLOYMENT-01', '/status'),
  wiki_page: sourceAt('EVT-WIKIPAGE-01', '/object_attributes/action'),
  release: sourceAt('EVT-RELEASE-01', '/action'),
}

export const actionsChecks = (Object.keys(actionsOf) as EventWithActions[]).map((event) => {
  const { requirement, noun, expected, received, read } = actionSources[event]
  const flag = flags[event]
  const title = events[event].title.toLowerCase()
  const actionOf = (delivery: Delivery) => read((delivery.json ?? {}) as DeliveryPayload)

  /** Expects that one of the deliveries of the event to a hook contains this action. */
  const isDelivered = (
    { inTime }: HooksWorld,
    action: string,
    causes: readonly Cause[],
  ): Expectation<readonly Delivery[]> =>
    labelled(action, {
      name: 'is delivered',
      expected: expected(action),
      test: (deliveries) => deliveries.some((delivery) => actionOf(delivery) === action),
      received: (deliveries) =>
        deliveries.length === 0
          ? describeMissing(inTime, causes, 'delivery of this event')
          : `${received([...new Set(deliveries.map(actionOf))])}, after ${describeCauses(causes)}`,
    })

  return deliveryCheck(requirement, {
    title: `delivers ${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title} event for each ${noun}`,
    root: 'HOOK-TEST-02',
    needs: [`hooks.trigger.${flag}`, 'hooks.trigger.actions'],
    async run(world) {
      const { createHook, newName, triggerEvent, receiveAmongOthers, expectValue } = world
      const declared: readonly string[] = world.target.trigger!.actions!
      const actions = actionsOf[event].filter((action) => declared.includes(action))
      if (actions.length === 0)
        throw new NotCovered<HooksNeed>(
          `hooks.trigger.actions contains none of ${actionsOf[event].join(', ')}`,
          ['hooks.trigger.actions'],
        )
      // Waits until the checks in triggers.ts have triggered this event, so that their hooks
      // receive no deliveries of this check.
      requireDelivery(world, await triggerOnce(world, event), requirement)
      await inTurn(world, async ({ missesFirst }) => {
        let hook: CreatedHook | undefined
        for (const action of actions) {
          const causes: Cause[] = []
          const trigger = async () => void causes.push(await triggerEvent(flag, action))
          const newHook = async () => {
            const created = await createHook({ ...onlyFlag(flag), token: `${newName()}-Action` })
            if (missesFirst) await trigger()
            return created
          }
          const receive = async (receiving: CreatedHook) => {
            await trigger()
            const accepts = (delivery: Delivery) =>
              isOf(event)(delivery) && actionOf(delivery) === action
            await receiveAmongOthers(receiving, { event }, isOf(event), accepts)
            return receiving.mailbox.deliveries.filter(isOf(event))
          }
          const expectation = isDelivered(world, action, causes)
          hook ??= await newHook()
          let deliveries = await receive(hook)
          // A service can disable a hook after a failed delivery. It may also need a moment before
          // it delivers to a new hook.
          if (!expectation.test(deliveries)) {
            hook = await newHook()
            deliveries = await receive(hook)
          }
          if (!expectation.test(deliveries)) deliveries = await receive(hook)
          expectValue(deliveries, expectation)
          // Each action that is not delivered takes the whole timeout, and one such action is
          // enough to show the failure.
          if (deliveries.length === 0) break
        }
      })
    },
  })
})
