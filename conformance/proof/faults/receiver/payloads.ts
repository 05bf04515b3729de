import { examples } from '../../../../generated/events/examples.ts'
import { eventNames, events, type EventName } from '../../../../mocks/deliveries/events.ts'
import { isObject } from '../../../../mocks/stateful/http/body.ts'
import type { ReceiverFault } from './fault.ts'
import { fault, toHyphens, onDelivery, valuesAt, toWords, type ReadDelivery } from './building.ts'

/** Makes a fault that returns 500 if `accepts` returns false for a value at this path. */
const failOnValue = (
  name: string,
  description: string,
  event: EventName,
  path: string,
  accepts: (value: unknown) => boolean,
): ReceiverFault =>
  fault(
    name,
    description,
    ['EVT-RECEIVER-18'],
    onDelivery(
      () => (delivery) =>
        delivery.event === events[event].header &&
        valuesAt(delivery.payload, path.split('/')).some((value) => !accepts(value))
          ? 500
          : undefined,
    ),
  )

const failOnNull = (event: EventName, path: string, action: string): ReceiverFault =>
  failOnValue(
    `null-breaks-${toHyphens(event)}-at-${pathToName(path)}`,
    `For ${toWords(event)} deliveries, ${action}, and fails if ${pathToText(path)} is null.`,
    event,
    path,
    (value) => value !== null,
  )

const failOnMissing = (event: EventName, path: string, action: string): ReceiverFault =>
  failOnValue(
    `absence-breaks-${toHyphens(event)}-at-${pathToName(path)}`,
    `For ${toWords(event)} deliveries, ${action}, and fails if ${pathToText(path)} is missing.`,
    event,
    path,
    (value) => value !== undefined,
  )

const pathToName = (path: string) => path.replace(/\*\//g, '').replace(/[/_]/g, '-')
const pathToText = (path: string) => path.replaceAll('/', '.')

function* namesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name
    yield* namesIn(member)
  }
}

/** For each value of X-Hook-Event, the names of all members in the sample payloads. */
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

/** Whether at least one of these names is in no sample payload of the event. */
const hasUnknownName = (event: string | undefined, names: readonly string[]) => {
  const known = members.get(event ?? '')
  return known !== undefined && names.some((name) => !known.has(name))
}

export const hasUnknownMember = ({ event, payload }: ReadDelivery) =>
  hasUnknownName(event, isObject(payload) ? Object.keys(payload) : [])

/** Returns 500 for payloads of an event with unknown members at any depth. */
const failOnUnknownMembers = (event: EventName): ReceiverFault =>
  fault(
    `unknown-members-break-${toHyphens(event)}`,
    `Returns 500 for ${toWords(event)} deliveries with unknown members.`,
    ['EVT-RECEIVER-19'],
    onDelivery(
      () => (delivery) =>
        delivery.event === events[event].header &&
        hasUnknownName(delivery.event, [...namesIn(delivery.payload)])
          ? 500
          : undefined,
    ),
  )

/** Receivers that expect every payload to be like the sample payloads. */
export const payloads: readonly ReceiverFault[] = [
  fault(
    'null-breaks-a-push-that-deletes-a-branch',
    'Shows the image of the project when a branch is deleted, and fails if avatar_url is null.',
    ['EVT-RECEIVER-18'],
    onDelivery(
      () =>
        ({ event, payload }) =>
          event === events.push.header &&
          valuesAt(payload, ['checkout_sha'])[0] === null &&
          valuesAt(payload, ['project', 'avatar_url'])[0] === null
            ? 500
            : undefined,
    ),
  ),
  failOnNull('tag_push', 'project/avatar_url', 'shows the image of the project'),
  failOnNull('issue', 'project/avatar_url', 'shows the image of the project'),
  failOnNull('merge_request', 'object_attributes/last_commit', 'looks up the last commit'),
  failOnNull('merge_request', 'reviewers', 'counts the reviewers'),
  failOnNull('pipeline', 'builds/*/user', 'shows who started the jobs'),
  failOnNull('job', 'build_queued_duration', 'adds up the queue times of the jobs'),
  failOnNull('deployment', 'environment_external_url', 'links the environment'),
  failOnNull('wiki_page', 'project/avatar_url', 'shows the image of the project'),
  failOnNull('release', 'project/avatar_url', 'shows the image of the project'),

  failOnMissing('push', 'checkout_sha', 'shortens the commit'),
  failOnMissing('tag_push', 'project/avatar_url', 'shows the image of the project'),
  failOnMissing('issue', 'object_attributes/milestone_id', 'looks up the milestone'),
  failOnMissing('merge_request', 'object_attributes/assignee', 'shows the assignee'),
  failOnMissing('pipeline', 'merge_request', 'tests if there is a merge request'),
  failOnMissing('pipeline', 'builds/*/environment', 'sorts the jobs by environment'),
  failOnMissing('job', 'runner', 'tests if there is a runner'),
  failOnMissing('deployment', 'deployable_id', 'looks up the job'),
  failOnMissing('wiki_page', 'project/avatar_url', 'shows the image of the project'),
  failOnMissing('release', 'project/avatar_url', 'shows the image of the project'),

  ...eventNames.map(failOnUnknownMembers),
  fault(
    'unknown-members-at-the-top-are-hung-up-on',
    'Closes the connection for a payload with unknown members at the top level.',
    ['EVT-RECEIVER-19'],
    onDelivery(() => (delivery) => (hasUnknownMember(delivery) ? 'close' : undefined)),
  ),
]
