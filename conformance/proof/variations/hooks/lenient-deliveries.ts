import { withHeader } from '../../faults/hooks/building.ts'
import type { HooksDeviation } from '../../faults/hooks/fault.ts'
import type { HooksFactor } from './variation.ts'
import { changeDeliveries, changePayloads, setMembers, type Json } from './building.ts'

/** Replaces names in the payloads of confidential issues. */
const nameConfidential = (names: Json): HooksDeviation =>
  changeDeliveries((delivery) => {
    if (delivery.trigger === 'confidential_issues_events') Object.assign(delivery.body, names)
    return delivery
  })

/**
 * Violations of requirements of level `should` for deliveries. A sender with such a violation
 * conforms, but the suite warns.
 */
export const lenientDeliveries: readonly HooksFactor[] = [
  {
    requirement: 'EVT-DELIVERY-04',
    name: 'media type of JSON',
    values: [
      { name: 'JSON', description: 'Sends JSON with a media type of JSON.' },
      {
        name: 'plain text',
        description: 'Sends JSON as text/plain.',
        unmet: ['EVT-DELIVERY-04'],
        deviation: changeDeliveries((delivery) =>
          withHeader(delivery, 'Content-Type', 'text/plain'),
        ),
      },
    ],
  },
  {
    requirement: 'EVT-PUSH-10',
    name: 'names of refs',
    values: [
      { name: 'full', description: 'Sends full names of refs.' },
      {
        name: 'short',
        description: 'Sends short names of refs.',
        unmet: ['EVT-PUSH-10'],
        deviation: setMembers('push', ({ ref }) => ({
          ref: String(ref).replace(/^refs\/\w+\//, ''),
        })),
      },
    ],
  },
  {
    requirement: 'EVT-TAGPUSH-19',
    name: 'types that the document states only for other events',
    values: [
      {
        name: 'used',
        description: 'Sends tag pushes and merge requests with the types of pushes and issues.',
      },
      {
        name: 'not used',
        notCombined: true,
        description:
          'Sends tag pushes and merge requests with types that pushes and issues do not have.',
        unmet: ['EVT-TAGPUSH-19', 'EVT-MERGEREQUEST-49'],
        deviation: changePayloads((payload, event) => {
          if (event === 'tag_push')
            Object.assign(payload, {
              user_id: '41',
              project_id: 'p-1842',
              total_commits_count: '0',
              ref: { name: 'v1' },
              commits: null,
            })
          if (event !== 'merge_request') return
          Object.assign(payload, { labels: ['bug'], assignees: ['zoe'] })
          Object.assign(payload['object_attributes'] as Json, {
            labels: 'bug',
            assignee_ids: ['57'],
            assignee_id: '57',
            assignee: 'zoe',
          })
        }),
      },
    ],
  },
  {
    requirement: 'EVT-BUILD-09',
    name: 'durations',
    values: [
      { name: 'numbers', description: 'Sends durations as numbers.' },
      {
        name: 'strings',
        notCombined: true,
        description: 'Sends the durations of builds and jobs as strings.',
        unmet: ['EVT-BUILD-09', 'EVT-BUILD-10', 'EVT-JOB-17', 'EVT-JOB-18'],
        deviation: changePayloads((payload, event) => {
          if (event === 'job')
            Object.assign(payload, { build_duration: '00:01:28', build_queued_duration: 'PT4S' })
          if (event === 'pipeline')
            for (const build of payload['builds'] as Json[])
              Object.assign(build, { duration: '51 s', queued_duration: '4 s' })
        }),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'names in deliveries for confidential issues',
    values: [
      {
        name: 'those of issues',
        description: 'Sends confidential issues with the names of issues.',
      },
      {
        name: 'a separate event_type',
        notCombined: true,
        description: 'Sends a separate event_type and X-Hook-Event for confidential issues.',
        choices: { confidentialHeader: 'Confidential Issue Hook' },
        deviation: nameConfidential({ event_type: 'confidential_issue' }),
      },
      {
        name: 'a separate object_kind',
        notCombined: true,
        description:
          'Sends a separate object_kind, event_type and X-Hook-Event for confidential issues.',
        unmet: ['EVT-EVENT-15'],
        choices: { confidentialHeader: 'Confidential Issue Hook' },
        deviation: nameConfidential({
          object_kind: 'confidential_issue',
          event_type: 'confidential_issue',
        }),
      },
    ],
  },
]
