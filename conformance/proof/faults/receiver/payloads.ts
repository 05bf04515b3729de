import { examples } from '../../../../generated/events/examples.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { isObject } from '../../../../mocks/stateful/http/body.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, hyphens, onDelivery, valuesAt, words, type ReadDelivery } from './building.ts'

/** Breaks on what some place of a payload holds. */
const reading = (
  name: string,
  description: string,
  event: EventName,
  place: string,
  bears: (value: unknown) => boolean,
): ReceiverFault =>
  fault(
    name,
    description,
    ['EVT-RECEIVER-18'],
    onDelivery(
      () => (delivery) =>
        delivery.event === events[event].header &&
        valuesAt(delivery.payload, place.split('/')).some((value) => !bears(value))
          ? 500
          : undefined,
    ),
  )

const withoutNull = (event: EventName, place: string, does: string): ReceiverFault =>
  reading(
    `null-breaks-${hyphens(event)}-at-${slug(place)}`,
    `${does} of a ${words(event)} delivery, and breaks where it is null.`,
    event,
    place,
    (value) => value !== null,
  )

const withoutAbsence = (event: EventName, place: string, does: string): ReceiverFault =>
  reading(
    `absence-breaks-${hyphens(event)}-at-${slug(place)}`,
    `${does} of a ${words(event)} delivery, and breaks where it is not there.`,
    event,
    place,
    (value) => value !== undefined,
  )

const slug = (place: string) => place.replace(/\*\//g, '').replace(/[/_]/g, '-')

function* namesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name
    yield* namesIn(member)
  }
}

/** For each value of X-Hook-Event the names of all members in the golden payloads. */
const members = new Map(
  eventNames.map((event): [string, ReadonlySet<string>] => [
    events[event].header,
    new Set(
      examples
        .filter((example) => example.event === event)
        .flatMap(({ payload }) => [...namesIn(payload)]),
    ),
  ]),
)

/** Whether one of these is the name of no member of such an event. */
const areUnknown = (event: string | undefined, names: readonly string[]) => {
  const known = members.get(event ?? '')
  return known !== undefined && names.some((name) => !known.has(name))
}

export const hasUnknownMember = ({ event, payload }: ReadDelivery) =>
  areUnknown(event, isObject(payload) ? Object.keys(payload) : [])

/** Takes payloads with known members only. */
const strict = (event: EventName): ReceiverFault =>
  fault(
    `unknown-members-break-${hyphens(event)}`,
    `Reads ${words(event)} deliveries into a record of its own, and breaks on members that it has not.`,
    ['EVT-RECEIVER-19'],
    onDelivery(
      () => (delivery) =>
        delivery.event === events[event].header &&
        areUnknown(delivery.event, [...namesIn(delivery.payload)])
          ? 500
          : undefined,
    ),
  )

/** Receivers that take a golden payload for all that can come. */
export const payloads: readonly ReceiverFault[] = [
  withoutNull('push', 'repository/description', 'Shortens the description of the repository'),
  withoutNull('tag_push', 'project/default_branch', 'Writes down the default branch'),
  withoutNull('issue', 'assignees', 'Writes to the assignees'),
  withoutNull('merge_request', 'object_attributes/last_commit', 'Looks up the last commit'),
  withoutNull('merge_request', 'reviewers', 'Counts the reviewers'),
  withoutNull('pipeline', 'builds/*/user', 'Shows who started the jobs'),
  withoutNull('job', 'build_queued_duration', 'Adds up how long jobs have waited'),
  withoutNull('deployment', 'environment_external_url', 'Links the environment'),
  withoutNull('wiki_page', 'project/description', 'Quotes the description of the project'),
  withoutNull('release', 'project/avatar_url', 'Shows the picture of the project'),

  withoutAbsence('push', 'checkout_sha', 'Shortens the commit'),
  withoutAbsence('tag_push', 'project/avatar_url', 'Shows the picture of the project'),
  withoutAbsence('issue', 'object_attributes/milestone_id', 'Looks up the milestone'),
  withoutAbsence('merge_request', 'object_attributes/description', 'Shortens the description'),
  withoutAbsence('pipeline', 'merge_request', 'Looks whether there is a merge request'),
  withoutAbsence('pipeline', 'builds/*/environment', 'Sorts the jobs by environment'),
  withoutAbsence('job', 'runner', 'Looks whether there is a runner'),
  withoutAbsence('deployment', 'deployable_id', 'Looks up the job'),
  withoutAbsence('wiki_page', 'project/default_branch', 'Writes down the default branch'),
  withoutAbsence('release', 'description', 'Shortens the description'),

  ...eventNames.map(strict),
  fault(
    'unknown-members-at-the-top-are-hung-up-on',
    'Closes the connection on a payload with a member that it does not know.',
    ['EVT-RECEIVER-19'],
    onDelivery(() => (delivery) => (hasUnknownMember(delivery) ? 'hangs up' : undefined)),
  ),
]
