import { withHeader } from '../../faults/hooks/building.ts'
import type { HooksFactor } from './variation.ts'
import { deliveries, payloads, sets, type Json } from './building.ts'

/** Demands of level `should` of deliveries: a sender that leaves one unkept is legal, and warned of. */
export const lenientDeliveries: readonly HooksFactor[] = [
  {
    row: 'EVT-DELIVERY-04',
    factor: 'announcing JSON',
    levels: [
      { name: 'so', says: 'Says in Content-Type that it sends JSON.' },
      {
        name: 'as text',
        says: 'Says that it sends text.',
        warns: ['EVT-DELIVERY-04'],
        deviation: deliveries((delivery) => withHeader(delivery, 'Content-Type', 'text/plain')),
      },
    ],
  },
  {
    row: 'EVT-PUSH-10',
    factor: 'names of refs',
    levels: [
      { name: 'full', says: 'Gives full names.' },
      {
        name: 'short',
        says: 'Gives short names.',
        warns: ['EVT-PUSH-10'],
        deviation: sets('push', ({ ref }) => ({ ref: String(ref).replace(/^refs\/\w+\//, '') })),
      },
    ],
  },
  {
    row: 'EVT-PUSH-21',
    factor: 'the count of commits',
    levels: [
      { name: 'right', says: 'Counts them all.' },
      {
        name: 'nothing',
        alone: true,
        says: 'Counts nothing.',
        warns: ['EVT-PUSH-21'],
        deviation: sets('push', () => ({ total_commits_count: 0 })),
      },
    ],
  },
  {
    row: 'EVT-TAGPUSH-19',
    factor: 'types that are stated elsewhere',
    levels: [
      {
        name: 'the same',
        says: 'Gives tag pushes and merge requests the types of pushes and issues.',
      },
      {
        name: 'others',
        alone: true,
        says: 'Gives them types of their own.',
        warns: ['EVT-TAGPUSH-19', 'EVT-MERGEREQUEST-49'],
        deviation: payloads((payload, event) => {
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
          })
        }),
      },
    ],
  },
  {
    row: 'EVT-BUILD-09',
    factor: 'durations',
    levels: [
      { name: 'numbers', says: 'Gives durations as numbers.' },
      {
        name: 'texts',
        alone: true,
        says: 'Gives the durations of builds and jobs as texts.',
        warns: ['EVT-BUILD-09', 'EVT-BUILD-10', 'EVT-JOB-17', 'EVT-JOB-18'],
        deviation: payloads((payload, event) => {
          if (event === 'job')
            Object.assign(payload, { build_duration: '00:01:28', build_queued_duration: 'PT4S' })
          if (event === 'pipeline')
            for (const build of payload['builds'] as Json[])
              Object.assign(build, { duration: '51 s', queued_duration: '4 s' })
        }),
      },
    ],
  },
]
