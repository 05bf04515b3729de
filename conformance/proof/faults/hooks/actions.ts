import { actionsOf } from '../../../../mocks/deliveries/actions.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { withValue } from '../../../../mocks/deliveries/set.ts'
import { defaultRules } from '../../../../mocks/stateful/hooks.ts'
import { fault, onMessage, replaceRules } from './building.ts'
import type { HooksFault } from './fault.ts'
import { requirementsOf } from './triggers.ts'

/**
 * For each event whose payload shows the action, an assignment to the field that shows it. If all
 * payloads contain the assigned value, all actions look alike.
 */
const shown: Readonly<Partial<Record<EventName, string>>> = {
  issue: 'object_attributes.action="update"',
  merge_request: 'object_attributes.action="update"',
  pipeline: 'object_attributes.status="success"',
  job: 'build_status="success"',
  deployment: 'status="success"',
  wiki_page: 'object_attributes.action="update"',
  release: 'action="update"',
}

const { receivesEvent } = defaultRules

/** Faults in which one action is not delivered, or the actions of an event look alike. */
export const actions: readonly HooksFault[] = eventNames.flatMap((event) => {
  const { flag } = events[event]
  const [cause] = requirementsOf[event]
  const missing = actionsOf[event].map((action: string) =>
    fault(
      `${action}-of-${flag}-is-not-delivered`,
      `Delivers no event of ${flag} if the action or the new status is ${action}.`,
      [cause],
      replaceRules({
        receivesEvent: (hook, given, project, happened) =>
          !(given === flag && happened === action) && receivesEvent(hook, given, project, happened),
      }),
    ),
  )
  const assignment = shown[event]
  if (assignment === undefined) return missing
  return [
    ...missing,
    fault(
      `actions-of-${flag}-look-alike`,
      `Sets ${assignment} in every delivery for ${flag}, whatever the action in the project was.`,
      [cause],
      onMessage((delivery) =>
        delivery.trigger === flag && delivery.action !== undefined
          ? { ...delivery, body: withValue(delivery.body, assignment) }
          : delivery,
      ),
    ),
  ]
})
