import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { changeExample, changePayload } from './building.ts'

type Json = Record<string, unknown>

const attributes = (payload: Payload) => payload['object_attributes'] as Json
/** Sets fields of each build that is in this state. */
const setBuilds = (payload: Payload, state: string, values: Json) => {
  for (const build of payload['builds'] as Json[])
    if (build['status'] === state) Object.assign(build, values)
}

/** Names of fields whose times are in the past when an event is delivered. */
const past = /^(build_)?(created|updated|started|finished|status_changed)_at$/

/** Replaces the timestamps in objects with this one, unless they are null. */
function replaceTimes(value: unknown, timestamp: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (past.test(name) && typeof member === 'string')
      (value as Record<string, unknown>)[name] = timestamp
    else replaceTimes(member, timestamp)
  }
}

const timedEvents = ['issue', 'merge_request', 'pipeline', 'job', 'deployment', 'release'] as const

/** Faults in which the times of an event are those of another time zone, but marked as UTC. */
const localTimes: readonly HooksFault[] = timedEvents.map((event) =>
  changePayload(
    [event],
    `${event.replace('_', '-')}-has-local-times`,
    `Sends the times of ${event} events two hours ahead of UTC, with the ending UTC.`,
    ['EVT-EVENT-13'],
    (payload) => {
      const [date, time] = new Date(Date.now() + 7_200_000).toISOString().split(/[T.]/)
      replaceTimes(payload, `${date} ${time} UTC`)
    },
  ),
)

/**
 * Faults in which values contradict the state of their object, such as a pipeline. The values are
 * missing, present too early, or in the wrong order.
 */
export const moments: readonly HooksFault[] = [
  ...localTimes,
  changeExample(
    'pipeline',
    'failed',
    'failed-pipeline-has-no-end',
    'Sends finished_at: null in a failed pipeline.',
    ['EVT-PIPELINE-17'],
    (payload) => Object.assign(attributes(payload), { finished_at: null }),
  ),
  changeExample(
    'pipeline',
    'success',
    'successful-pipeline-has-no-duration',
    'Sends duration: null in a pipeline that has succeeded.',
    ['EVT-PIPELINE-18'],
    (payload) => Object.assign(attributes(payload), { duration: null }),
  ),
  changeExample(
    'pipeline',
    'running',
    'running-pipeline-was-never-queued',
    'Sends queued_duration: null in a running pipeline.',
    ['EVT-PIPELINE-19'],
    (payload) => Object.assign(attributes(payload), { queued_duration: null }),
  ),
  changeExample(
    'pipeline',
    'success',
    'successful-builds-have-no-times',
    'Sends started_at and finished_at as null in builds that have succeeded.',
    ['EVT-BUILD-07', 'EVT-BUILD-08'],
    (payload) => setBuilds(payload, 'success', { started_at: null, finished_at: null }),
  ),
  changeExample(
    'pipeline',
    'success',
    'successful-builds-have-no-runner',
    'Sends runner and duration as null in builds that have succeeded.',
    ['EVT-BUILD-15', 'EVT-BUILD-09'],
    (payload) => setBuilds(payload, 'success', { runner: null, duration: null }),
  ),
  changeExample(
    'job',
    'success',
    'successful-job-has-no-runner',
    'Sends runner: null in a job that has succeeded.',
    ['EVT-JOB-22'],
    (payload) => Object.assign(payload, { runner: null }),
  ),
  changeExample(
    'job',
    'success',
    'successful-job-has-no-duration',
    'Sends build_duration: null in a job that has succeeded.',
    ['EVT-JOB-17'],
    (payload) => Object.assign(payload, { build_duration: null }),
  ),
  changeExample(
    'job',
    'failed',
    'failed-job-has-no-reason',
    'Sends a failed job without build_failure_reason.',
    ['EVT-JOB-20'],
    (payload) => delete payload['build_failure_reason'],
  ),
  changeExample(
    'job',
    'failed',
    'failed-job-has-its-reason-elsewhere',
    'Sends the reason of a failed job in failure_reason instead of build_failure_reason.',
    ['EVT-JOB-20'],
    (payload) => {
      payload['failure_reason'] = payload['build_failure_reason']
      delete payload['build_failure_reason']
    },
  ),
  changeExample(
    'job',
    'running',
    'running-job-has-ended',
    'Sends a value of build_finished_at in a running job: its start time.',
    ['EVT-EVENT-06'],
    (payload) => Object.assign(payload, { build_finished_at: payload['build_started_at'] }),
  ),
  changeExample(
    'pipeline',
    'pending',
    'pending-pipeline-has-ended',
    'Sends a value of finished_at in a pending pipeline: its creation time.',
    ['EVT-EVENT-06'],
    (payload) =>
      Object.assign(attributes(payload), { finished_at: attributes(payload)['created_at'] }),
  ),
  changeExample(
    'job',
    'success',
    'job-ends-before-it-starts',
    'Exchanges the start time and the finish time of a job.',
    ['EVT-EVENT-07'],
    (payload) =>
      Object.assign(payload, {
        build_started_at: payload['build_finished_at'],
        build_finished_at: payload['build_started_at'],
      }),
  ),
  changeExample(
    'issue',
    'update',
    'issue-is-updated-before-it-is-created',
    'Sends a created_at that is later than updated_at in an issue.',
    ['EVT-EVENT-07'],
    (payload) =>
      Object.assign(attributes(payload), {
        created_at: String(attributes(payload)['updated_at']).replace(/^\d{4}/, '2091'),
      }),
  ),
  changeExample(
    'merge_request',
    'merge',
    'merge-request-is-updated-before-it-is-created',
    'Sends a created_at that is later than updated_at in a merge request.',
    ['EVT-EVENT-07'],
    (payload) =>
      Object.assign(attributes(payload), {
        created_at: String(attributes(payload)['updated_at']).replace(/^\d{4}/, '2091'),
      }),
  ),
  changeExample(
    'pipeline',
    'success',
    'pipeline-ends-before-it-is-created',
    'Exchanges the creation time and the finish time of a pipeline.',
    ['EVT-EVENT-07'],
    (payload) => {
      const { created_at: created, finished_at: finished } = attributes(payload)
      Object.assign(attributes(payload), { created_at: finished, finished_at: created })
    },
  ),
  changeExample(
    'issue',
    'open',
    'opened-issue-is-open',
    'Names the state of an issue open, in place of opened.',
    ['EVT-ISSUE-38'],
    (payload) => Object.assign(attributes(payload), { state: 'open' }),
  ),
  changeExample(
    'merge_request',
    'open',
    'opened-merge-request-is-open',
    'Names the state of a merge request open, in place of opened.',
    ['EVT-MERGEREQUEST-58'],
    (payload) => Object.assign(attributes(payload), { state: 'open' }),
  ),
  changeExample(
    'issue',
    'close',
    'closed-issue-is-opened',
    'Sends the state opened in an issue that was closed.',
    ['EVT-ISSUE-37'],
    (payload) => Object.assign(attributes(payload), { state: 'opened' }),
  ),
  changeExample(
    'merge_request',
    'merge',
    'merged-merge-request-is-opened',
    'Sends the state opened in a merge request that was merged.',
    ['EVT-MERGEREQUEST-52'],
    (payload) => Object.assign(attributes(payload), { state: 'opened' }),
  ),
]
