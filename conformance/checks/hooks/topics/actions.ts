import { labelled, NotApplicable, type Expectation } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames, flags } from '../../../../generated/events/names.ts'
import type { Delivery } from '../../../wire/index.ts'
import { actionSources } from '../support/action-sources.ts'
import { actionsOf, furtherActionsOf, type EventWithActions } from '../support/actions.ts'
import {
  actionOf,
  causeActions,
  containsAction,
  isOtherAction,
  noneDeclared,
  type CausedAction,
} from '../support/caused-actions.ts'
import { deliveryCheck } from '../support/define.ts'
import { describeCauses, describeMissing } from '../support/missing-delivery.ts'
import { awaitUnwanted, deliveriesOf, receivesNothingOf } from '../support/project-events.ts'
import { describe } from '../support/rules/rule.ts'
import { deliveryRequirements } from '../support/trigger-requirements.ts'
import type { HooksWorld } from '../support/world.ts'

/** Expects that one of the deliveries of the event to a hook contains this action. */
function isDelivered(
  { inTime }: HooksWorld,
  event: EventWithActions,
  caused: CausedAction,
): Expectation<readonly Delivery[]> {
  const { action, count, causes } = caused
  const { expected, received } = actionSources[event]
  return labelled(count === 1 ? action : `${action} again`, {
    name: 'is delivered',
    expected: expected(action),
    test: (deliveries) => containsAction(event, deliveries, caused),
    received: (deliveries) =>
      deliveries.length === 0
        ? describeMissing(inTime, causes, 'delivery of this event')
        : `${received([...new Set(deliveries.map((one) => actionOf(event, one)))])}, after ${describeCauses(causes)}`,
  })
}

export const actionsChecks = [
  ...(Object.keys(actionsOf) as EventWithActions[]).map((event) => {
    const { requirement, noun } = actionSources[event]
    const title = events[event].title.toLowerCase()
    return deliveryCheck(requirement, {
      title: `delivers ${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title} event for each ${noun}`,
      root: 'HOOK-TEST-02',
      needs: [`hooks.trigger.${flags[event]}`, 'hooks.trigger.actions'],
      async run(world) {
        const { listed } = await causeActions(world, event)
        if (listed.length === 0) throw noneDeclared(actionsOf[event])
        for (const caused of listed)
          world.expectValue(caused.deliveries, isDelivered(world, event, caused))
      },
    })
  }),

  ...eventNames.map((event) => {
    const flag = flags[event]
    return deliveryCheck(deliveryRequirements[event][1], {
      title: `delivers each action only to hooks with ${flag}`,
      root: 'HOOK-TEST-02',
      needs: [`hooks.trigger.${flag}`, 'hooks.trigger.actions'],
      async run(world) {
        const { listed, further, refusal, disabled } = await causeActions(world, event)
        if (listed.length + further.length === 0 && refusal !== undefined) throw refusal
        if (![...listed, ...further].some(({ deliveries }) => deliveries.length > 0))
          throw new NotApplicable('no action was delivered to a hook with the flag')
        await awaitUnwanted(world)
        world.expectValue(
          deliveriesOf(event, disabled),
          receivesNothingOf(
            `a hook with all flags except ${flag}, after all actions: receives nothing`,
            event,
          ),
        )
      },
    })
  }),

  deliveryCheck('EVT-MERGEREQUEST-57', {
    title: 'names the action of a merge request that was reopened, approved or unapproved',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.merge_requests_events', 'hooks.trigger.actions'],
    async run(world) {
      const { further, refusal } = await causeActions(world, 'merge_request')
      if (further.length === 0) throw refusal ?? noneDeclared(furtherActionsOf.merge_request!)
      const delivered = further.filter(({ latest }) => latest.length > 0)
      if (delivered.length === 0)
        throw new NotApplicable(
          'the service delivers no event if a merge request is reopened, approved or unapproved',
        )
      for (const { action, causes, latest } of delivered)
        world.expectValue(
          latest,
          labelled(action, {
            name: 'is named',
            expected: `${describe(action)} or "update" in object_attributes.action`,
            test: (deliveries) =>
              deliveries.some((one) => !isOtherAction('merge_request', action, one)),
            received: ([first]) =>
              `${describe(actionOf('merge_request', first!))}, after ${describeCauses(causes)}`,
          }),
        )
    },
  }),
]
