import type { EventName } from '../../../../mocks/deliveries/events.ts'
import { payloadOf, type Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { fault } from './building.ts'

/** Changes payloads of one event in place. `change` returns whether it changed something. */
const changePayload = (
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

/** Sends the payload of another event together with the headers of the right event. */
const sendPayloadOf = (
  event: EventName,
  other: EventName,
  violates: HooksFault['violates'],
): HooksFault =>
  fault(
    `${event.replace('_', '-')}-has-the-payload-of-${other.replace('_', '-')}`,
    `Sends the payload of ${other} as a delivery of ${event}.`,
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

/** Replaces members. */
const set = (payload: Payload, values: Payload): true => {
  Object.assign(payload, values)
  return true
}
const drop = (payload: Payload, name: string): boolean => delete payload[name]
const rename = (payload: Payload, name: string, to: string): boolean =>
  set(payload, { [to]: payload[name] }) && drop(payload, name)

const isCreated = ({ before }: Payload) => isZeros(before)
const isDeleted = ({ after }: Payload) => isZeros(after)

/** Faults in which fields of payloads are missing or contradict each other. */
export const payloads: readonly HooksFault[] = [
  sendPayloadOf('push', 'tag_push', ['EVT-PUSH-05']),
  sendPayloadOf('tag_push', 'push', ['EVT-TAGPUSH-05']),
  sendPayloadOf('job', 'pipeline', ['EVT-JOB-05']),

  changePayload(
    'push',
    'push-has-no-checkout-sha',
    'Sends a push without checkout_sha.',
    ['EVT-PUSH-11'],
    (payload) => drop(payload, 'checkout_sha'),
  ),
  changePayload(
    'push',
    'push-has-another-name-for-checkout-sha',
    'Sends checkoutSha instead of checkout_sha in a push.',
    ['EVT-PUSH-11'],
    (payload) => rename(payload, 'checkout_sha', 'checkoutSha'),
  ),
  changePayload(
    'push',
    'push-counts-no-commits',
    'Sends total_commits_count: 0 in every push.',
    ['EVT-PUSH-21'],
    (payload) => set(payload, { total_commits_count: 0 }),
  ),
  changePayload(
    'push',
    'push-counts-a-commit-too-few',
    'Sends a total_commits_count that is one less than the number of commits in a push.',
    ['EVT-PUSH-21'],
    (payload) =>
      set(payload, { total_commits_count: (payload['commits'] as unknown[]).length - 1 }),
  ),

  changePayload(
    'tag_push',
    'tag-push-has-no-checkout-sha',
    'Sends a tag push without checkout_sha.',
    ['EVT-TAGPUSH-10'],
    (payload) => drop(payload, 'checkout_sha'),
  ),
  changePayload(
    'tag_push',
    'tag-push-has-another-name-for-checkout-sha',
    'Sends checkoutSha instead of checkout_sha in a tag push.',
    ['EVT-TAGPUSH-10'],
    (payload) => rename(payload, 'checkout_sha', 'checkoutSha'),
  ),
  changePayload(
    'tag_push',
    'created-tag-comes-from-a-commit',
    'Sends a commit id in the field `before` when a tag is created.',
    ['EVT-TAGPUSH-20'],
    (payload) => isCreated(payload) && set(payload, { before: commit }),
  ),
  changePayload(
    'tag_push',
    'created-tag-comes-from-null',
    'Sends before: null when a tag is created.',
    ['EVT-TAGPUSH-20', 'EVT-TAGPUSH-19'],
    (payload) => isCreated(payload) && set(payload, { before: null }),
  ),
  changePayload(
    'tag_push',
    'created-tag-comes-from-almost-zeros',
    'Sends zeros and a final 1 in the field `before` when a tag is created.',
    ['EVT-TAGPUSH-20'],
    (payload) =>
      isCreated(payload) && set(payload, { before: String(payload['before']).replace(/.$/, '1') }),
  ),
  changePayload(
    'tag_push',
    'deleted-tag-stays-at-its-commit',
    'Sends the same commit id in `before` and `after` when a tag is deleted.',
    ['EVT-TAGPUSH-21'],
    (payload) => isDeleted(payload) && set(payload, { after: payload['before'] }),
  ),
  changePayload(
    'tag_push',
    'deleted-tag-ends-at-null',
    'Sends after: null when a tag is deleted.',
    ['EVT-TAGPUSH-21', 'EVT-TAGPUSH-19'],
    (payload) => isDeleted(payload) && set(payload, { after: null }),
  ),

  changePayload(
    'issue',
    'issue-without-assignees',
    'Omits the field assignees of an issue that has an assignee.',
    ['EVT-ISSUE-29'],
    (payload) => drop(payload, 'assignees'),
  ),
  changePayload(
    'merge_request',
    'merge-request-without-assignees',
    'Omits the field assignees of a merge request that has an assignee.',
    ['EVT-MERGEREQUEST-12'],
    (payload) => drop(payload, 'assignees'),
  ),
  changePayload(
    'merge_request',
    'merge-request-has-null-for-assignees',
    'Sends assignees: null in a merge request with an assignee.',
    ['EVT-MERGEREQUEST-12'],
    (payload) => set(payload, { assignees: null }),
  ),
  changePayload(
    'merge_request',
    'merge-request-without-reviewers',
    'Omits the field reviewers of a merge request that has a reviewer.',
    ['EVT-MERGEREQUEST-13'],
    (payload) => drop(payload, 'reviewers'),
  ),
  changePayload(
    'merge_request',
    'merge-request-has-one-reviewer',
    'Sends reviewer instead of reviewers in a merge request.',
    ['EVT-MERGEREQUEST-13'],
    (payload) => rename(payload, 'reviewers', 'reviewer'),
  ),

  changePayload(
    'pipeline',
    'pipeline-never-finishes',
    'Sends finished_at: null in every pipeline.',
    ['EVT-PIPELINE-17'],
    (payload) => set(attributes(payload), { finished_at: null }),
  ),
  changePayload(
    'job',
    'job-never-starts',
    'Sends a job without build_started_at.',
    ['EVT-JOB-15'],
    (payload) => drop(payload, 'build_started_at'),
  ),
  changePayload(
    'job',
    'job-never-finishes',
    'Sends build_finished_at: null in every job.',
    ['EVT-JOB-16'],
    (payload) => set(payload, { build_finished_at: null }),
  ),
]
