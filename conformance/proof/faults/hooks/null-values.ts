import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { changeExample, changePayload } from './building.ts'

type Json = Record<string, unknown>

const attributes = (payload: Payload) => payload['object_attributes'] as Json
const rename = (holder: Json, name: string, to: string) => {
  holder[to] = holder[name]
  return delete holder[name]
}

/** Faults in which a field is null or absent although the rest of the payload shows its value. */
export const nullValues: readonly HooksFault[] = [
  changePayload(
    ['push'],
    'push-checks-out-null',
    'Sends checkout_sha: null in a push with commits.',
    ['EVT-EVENT-04'],
    (payload) => Object.assign(payload, { checkout_sha: null }),
  ),
  changeExample(
    'tag_push',
    'create',
    'created-tag-checks-out-null',
    'Sends checkout_sha: null when a tag is created.',
    ['EVT-EVENT-04'],
    (payload) => Object.assign(payload, { checkout_sha: null }),
  ),
  changePayload(
    ['issue', 'merge_request'],
    'assigned-to-null',
    'Sends assignee_id: null for an issue or a merge request with assignees.',
    ['EVT-EVENT-04'],
    (payload) => Object.assign(attributes(payload), { assignee_id: null }),
  ),
  changePayload(
    ['merge_request'],
    'merge-request-has-null-as-its-assignee',
    'Sends assignee: null for a merge request with assignees.',
    ['EVT-EVENT-04'],
    (payload) => Object.assign(attributes(payload), { assignee: null }),
  ),
  changeExample(
    'job',
    'failed',
    'failed-job-has-null-as-its-reason',
    'Sends build_failure_reason: null in a failed job.',
    ['EVT-EVENT-04'],
    (payload) => Object.assign(payload, { build_failure_reason: null }),
  ),
  changeExample(
    'job',
    'success',
    'successful-job-was-never-queued',
    'Sends build_queued_duration: null in a job that has succeeded.',
    ['EVT-JOB-18'],
    (payload) => Object.assign(payload, { build_queued_duration: null }),
  ),
  changeExample(
    'pipeline',
    'success',
    'successful-builds-were-never-queued',
    'Sends queued_duration: null in each build of a successful pipeline.',
    ['EVT-BUILD-10'],
    (payload) => {
      for (const build of payload['builds'] as Json[]) build['queued_duration'] = null
    },
  ),
  changePayload(
    ['issue'],
    'issue-lacks-assignee-id',
    'Omits assignee_id of an issue that has an assignee.',
    ['EVT-ISSUE-13'],
    (payload) => delete attributes(payload)['assignee_id'],
  ),
  changePayload(
    ['issue'],
    'issue-has-the-assignee-id-at-the-top',
    'Sends assignee_id of an issue at the top level instead of in object_attributes.',
    ['EVT-ISSUE-13'],
    (payload) => {
      payload['assignee_id'] = attributes(payload)['assignee_id']
      return delete attributes(payload)['assignee_id']
    },
  ),
  ...(['assignee_id', 'assignee'] as const).flatMap((field) => {
    const requirement = field === 'assignee' ? 'EVT-MERGEREQUEST-47' : 'EVT-MERGEREQUEST-21'
    const words = field.replace('_', '-')
    return [
      changePayload(
        ['merge_request'],
        `merge-request-lacks-${words}`,
        `Omits ${field} of a merge request that has an assignee.`,
        [requirement],
        (payload) => delete attributes(payload)[field],
      ),
      changePayload(
        ['merge_request'],
        `merge-request-has-another-name-for-${words}`,
        `Sends first_${field} instead of ${field} in a merge request.`,
        [requirement],
        (payload) => rename(attributes(payload), field, `first_${field}`),
      ),
    ]
  }),
]
