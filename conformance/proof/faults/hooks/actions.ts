import { actionsOf } from '../../../../mocks/deliveries/actions.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { withValue } from '../../../../mocks/deliveries/set.ts'
import { defaultRules, type OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import { fault, onMessage, replaceRules, withHeader } from './building.ts'
import type { HooksFault } from './fault.ts'
import { requirementsOf } from './triggers.ts'

/**
 * For events whose payload shows the action: an assignment of one fixed value to that field, which
 * makes all actions look alike.
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

/** Changes deliveries of approvals, which the contract does not list as causes of events. */
const changeApproval = (
  name: string,
  description: string,
  violates: HooksFault['violates'],
  action: string,
  change: (delivery: OutgoingDelivery) => OutgoingDelivery,
) =>
  fault(
    name,
    description,
    violates,
    onMessage(change, (delivery) => delivery.action === action),
  )

const approvals: readonly HooksFault[] = [
  changeApproval(
    'withdrawal-of-an-approval-looks-like-one',
    'Sends the action approved after the approval of a merge request was withdrawn.',
    ['EVT-MERGEREQUEST-46'],
    'unapproved',
    (delivery) => ({
      ...delivery,
      body: withValue(delivery.body, 'object_attributes.action="approved"'),
    }),
  ),
  changeApproval(
    'approval-looks-like-its-withdrawal',
    'Sends the action unapproved after a merge request was approved.',
    ['EVT-MERGEREQUEST-46'],
    'approved',
    (delivery) => ({
      ...delivery,
      body: withValue(delivery.body, 'object_attributes.action="unapproved"'),
    }),
  ),
  changeApproval(
    'approval-has-another-event-header',
    'Sends X-Hook-Event: Merge Request Approved Hook after a merge request was approved.',
    ['EVT-MERGEREQUEST-03'],
    'approved',
    (delivery) => withHeader(delivery, 'X-Hook-Event', 'Merge Request Approved Hook'),
  ),
  changeApproval(
    'approval-has-no-event-type',
    'Sends no event_type after a merge request was approved.',
    ['EVT-MERGEREQUEST-06'],
    'approved',
    (delivery) => {
      const { event_type: _, ...body } = delivery.body
      return { ...delivery, body }
    },
  ),
]

/** Faults in which one action is not delivered, or the actions of an event look alike. */
const singleActions: readonly HooksFault[] = eventNames.flatMap((event) => {
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

/** Faults in the deliveries of single actions in the project. */
export const actions: readonly HooksFault[] = [...singleActions, ...approvals]
