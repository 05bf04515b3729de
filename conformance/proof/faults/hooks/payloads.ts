import type { EventName } from '../../../../mocks/deliveries/events.ts'
import { payloadOf, type Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { fault } from './building.ts'

/** Changes the payloads of one event in place, where `change` finds something to change. */
const tells = (
  event: EventName,
  name: string,
  description: string,
  violates: HooksFault['violates'],
  change: (payload: Payload) => boolean,
): HooksFault =>
  fault(name, description, violates, (hit) => ({
    beforeDelivery: (delivery) => {
      if (delivery.event === event && change(delivery.body)) hit()
      return delivery
    },
  }))

/** The payload of another event, under the right header. */
const tellsOf = (
  event: EventName,
  other: EventName,
  violates: HooksFault['violates'],
): HooksFault =>
  fault(
    `${event.replace('_', '-')}-tells-of-${other.replace('_', '-')}`,
    `A delivery of ${event} has the payload of ${other}.`,
    violates,
    (hit) => ({
      beforeDelivery: (delivery) => {
        if (delivery.event !== event) return delivery
        hit()
        return { ...delivery, body: payloadOf(other) }
      },
    }),
  )

const isZeros = (value: unknown) => /^0+$/.test(String(value))
const commit = '7f3b1c0d9e8a4f6b2c5d1e0f9a8b7c6d5e4f3a2b'
const attributes = (payload: Payload) => payload['object_attributes'] as Payload

/** Puts other values where some stand. */
const set = (payload: Payload, values: Payload): true => {
  Object.assign(payload, values)
  return true
}
const drop = (payload: Payload, name: string): boolean => delete payload[name]
const renamed = (payload: Payload, name: string, to: string): boolean =>
  set(payload, { [to]: payload[name] }) && drop(payload, name)

const isMade = ({ before }: Payload) => isZeros(before)
const isDeleted = ({ after }: Payload) => isZeros(after)

/** Payloads whose fields contradict each other. */
export const payloads: readonly HooksFault[] = [
  tellsOf('push', 'tag_push', ['EVT-PUSH-05']),
  tellsOf('tag_push', 'push', ['EVT-TAGPUSH-05']),
  tellsOf('job', 'pipeline', ['EVT-JOB-05']),

  tells(
    'push',
    'push-has-no-checkout-sha',
    'A push does not say which commit to check out.',
    ['EVT-PUSH-11'],
    (payload) => drop(payload, 'checkout_sha'),
  ),
  tells(
    'push',
    'push-has-another-name-for-checkout-sha',
    'A push has checkoutSha for checkout_sha.',
    ['EVT-PUSH-11'],
    (payload) => renamed(payload, 'checkout_sha', 'checkoutSha'),
  ),
  tells(
    'push',
    'push-counts-no-commits',
    'A push counts no commits, whatever it lists.',
    ['EVT-PUSH-21'],
    (payload) => set(payload, { total_commits_count: 0 }),
  ),
  tells(
    'push',
    'push-counts-a-commit-too-few',
    'A push counts one commit less than it lists.',
    ['EVT-PUSH-21'],
    (payload) =>
      set(payload, { total_commits_count: (payload['commits'] as unknown[]).length - 1 }),
  ),

  tells(
    'tag_push',
    'tag-push-has-no-checkout-sha',
    'A tag push does not say at which commit its tag stands.',
    ['EVT-TAGPUSH-10'],
    (payload) => drop(payload, 'checkout_sha'),
  ),
  tells(
    'tag_push',
    'tag-push-has-another-name-for-checkout-sha',
    'A tag push has checkoutSha for checkout_sha.',
    ['EVT-TAGPUSH-10'],
    (payload) => renamed(payload, 'checkout_sha', 'checkoutSha'),
  ),
  tells(
    'tag_push',
    'made-tag-comes-from-a-commit',
    'A tag that is made comes from a commit.',
    ['EVT-TAGPUSH-20'],
    (payload) => isMade(payload) && set(payload, { before: commit }),
  ),
  tells(
    'tag_push',
    'made-tag-comes-from-null',
    'before is null where a tag is made.',
    ['EVT-TAGPUSH-20', 'EVT-TAGPUSH-19'],
    (payload) => isMade(payload) && set(payload, { before: null }),
  ),
  tells(
    'tag_push',
    'made-tag-comes-from-almost-zeros',
    'before ends in a one where a tag is made.',
    ['EVT-TAGPUSH-20'],
    (payload) =>
      isMade(payload) && set(payload, { before: String(payload['before']).replace(/.$/, '1') }),
  ),
  tells(
    'tag_push',
    'deleted-tag-stays-at-its-commit',
    'after is still the commit where a tag is deleted.',
    ['EVT-TAGPUSH-21'],
    (payload) => isDeleted(payload) && set(payload, { after: payload['before'] }),
  ),
  tells(
    'tag_push',
    'deleted-tag-ends-at-null',
    'after is null where a tag is deleted.',
    ['EVT-TAGPUSH-21', 'EVT-TAGPUSH-19'],
    (payload) => isDeleted(payload) && set(payload, { after: null }),
  ),

  tells(
    'issue',
    'issue-forgets-who-is-assigned',
    'An issue names its assignees by id alone.',
    ['EVT-ISSUE-29'],
    (payload) => drop(payload, 'assignees'),
  ),
  tells(
    'merge_request',
    'merge-request-forgets-who-is-assigned',
    'A merge request names its assignees by id alone.',
    ['EVT-MERGEREQUEST-12'],
    (payload) => drop(payload, 'assignees'),
  ),
  tells(
    'merge_request',
    'merge-request-has-null-for-assignees',
    'assignees of a merge request is null, though somebody is assigned.',
    ['EVT-MERGEREQUEST-12'],
    (payload) => set(payload, { assignees: null }),
  ),
  tells(
    'merge_request',
    'merge-request-forgets-who-reviews',
    'A merge request names its reviewers by id alone.',
    ['EVT-MERGEREQUEST-13'],
    (payload) => drop(payload, 'reviewers'),
  ),
  tells(
    'merge_request',
    'merge-request-has-one-reviewer',
    'A merge request has a reviewer, and no list of reviewers.',
    ['EVT-MERGEREQUEST-13'],
    (payload) => renamed(payload, 'reviewers', 'reviewer'),
  ),

  tells(
    'pipeline',
    'pipeline-never-finishes',
    'finished_at of a pipeline is null for ever.',
    ['EVT-PIPELINE-17'],
    (payload) => set(attributes(payload), { finished_at: null }),
  ),
  tells(
    'job',
    'job-never-starts',
    'A job event has no build_started_at.',
    ['EVT-JOB-15'],
    (payload) => drop(payload, 'build_started_at'),
  ),
  tells(
    'job',
    'job-never-finishes',
    'build_finished_at of a job event is null for ever.',
    ['EVT-JOB-16'],
    (payload) => set(payload, { build_finished_at: null }),
  ),
]
