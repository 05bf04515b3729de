import { actionsOf, furtherActionsOf } from '../../../../mocks/deliveries/actions.ts'
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
export const actions: readonly HooksFault[] = [
  fault(
    'tag-created-again-has-an-earlier-commit',
    'Sends the commit of the deleted tag as `before` if a tag is created again.',
    ['EVT-TAGPUSH-01'],
    (hit) => {
      const deleted = new Set<unknown>()
      return {
        beforeDelivery: (delivery) => {
          const { event, action, hook, body } = delivery
          if (event !== 'tag_push') return delivery
          if (action === 'delete') deleted.add(hook.id)
          if (action !== 'create' || !deleted.has(hook.id)) return delivery
          hit()
          return { ...delivery, body: { ...body, before: body['after'] } }
        },
      }
    },
  ),
  ...eventNames.flatMap(faultsOfActions),
  ...eventNames.map((event) => {
    const { flag } = events[event]
    const [, flagged] = requirementsOf[event]
    const last = [...actionsOf[event], ...(furtherActionsOf[event] ?? [])].at(-1)
    return fault(
      `${last}-of-${flag}-reaches-hooks-without-the-flag`,
      `Delivers events of ${flag} with the action or the status ${last} to all hooks.`,
      [flagged],
      replaceRules({
        receivesEvent: (hook, given, project, happened) =>
          given === flag && happened === last
            ? hook.project === project
            : receivesEvent(hook, given, project, happened),
      }),
    )
  }),
  ...(
    [
      ['reopen', 'open'],
      ['approved', 'unapproved'],
      ['unapproved', 'approved'],
    ] as const
  ).map(([action, other]) =>
    fault(
      `${action}-of-a-merge-request-is-named-${other}`,
      `Sends the action ${other} if a merge request has the action ${action}.`,
      ['EVT-MERGEREQUEST-57'],
      onAction('merge_request', action, `object_attributes.action="${other}"`),
    ),
  ),
  fault(
    'approve-in-place-of-approved',
    'Sends the action approve if a merge request is approved.',
    ['EVT-MERGEREQUEST-46', 'EVT-MERGEREQUEST-57'],
    onAction('merge_request', 'approved', 'object_attributes.action="approve"'),
  ),
  fault(
    'after-of-a-deleted-branch-is-null',
    'Sends the value null in `after` if a branch is deleted.',
    ['EVT-PUSH-08'],
    onAction('push', 'delete', 'after=null'),
  ),
]

/** Changes the payload of the events with one action. */
function onAction(event: EventName, action: string, assignment: string) {
  return onMessage((delivery) =>
    delivery.event === event && delivery.action === action
      ? { ...delivery, body: withValue(delivery.body, assignment) }
      : delivery,
  )
}

function faultsOfActions(event: EventName): readonly HooksFault[] {
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
}
