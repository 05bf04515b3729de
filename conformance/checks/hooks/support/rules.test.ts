import { describe, expect, it } from 'vitest'
import { events } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { EventName } from '../../../../generated/events/names.ts'
import {
  declaresJson,
  hasProductVersion,
  rules,
  violationsOf,
  type DeliveryPayload,
} from './rules.ts'

const sha = '3'.repeat(40)

/** Lists the violations in a changed sample payload: the requirement and the path of each. */
function listViolations(event: EventName, name: string, change: DeliveryPayload): string[] {
  const payload: DeliveryPayload = { ...exampleOf(event, name)!.payload, ...change }
  return rules
    .filter((rule) => rule.events.includes(event) && rule.applies(payload))
    .flatMap((rule) =>
      rule.findViolations(payload).map(({ path }) => `${rule.requirement} ${path}`),
    )
}

describe('rules beyond the schemas', () => {
  it.each(examples.map(({ event, name, payload }) => [event, name, payload] as const))(
    'are met by the sample %s, %s',
    (event, _, payload) => {
      expect(
        rules
          .filter((rule) => rule.events.includes(event) && rule.applies(payload))
          .flatMap((rule) => rule.findViolations(payload)),
      ).toEqual([])
    },
  )

  it.each([
    ['push', 'commits', { checkout_sha: undefined }, ['EVT-PUSH-11 /checkout_sha']],
    ['push', 'commits', { checkout_sha: null }, ['EVT-EVENT-04 /checkout_sha']],
    ['push', 'branch-deleted', { checkout_sha: null }, []],
    ['push', 'commits', { checkout_sha: sha }, ['EVT-PUSH-26 /checkout_sha']],
    ['push', 'commits', { checkout_sha: sha, after: '' }, ['EVT-PUSH-25 /after']],
    ['tag_push', 'create', { checkout_sha: null }, ['EVT-EVENT-04 /checkout_sha']],
    ['tag_push', 'create', { checkout_sha: sha }, []],
    ['tag_push', 'delete', { checkout_sha: null }, []],
    ['push', 'branch-deleted', { checkout_sha: undefined }, []],
    ['push', 'commits', { total_commits_count: 1 }, ['EVT-PUSH-21 /total_commits_count']],
    ['tag_push', 'create', { before: sha }, ['EVT-TAGPUSH-20 /before']],
    ['tag_push', 'create', { before: sha, checkout_sha: null }, ['EVT-TAGPUSH-21 /after']],
    ['tag_push', 'create', { before: null }, ['EVT-TAGPUSH-20 /before']],
    ['tag_push', 'delete', { after: sha }, ['EVT-TAGPUSH-21 /after']],
    ['tag_push', 'delete', { after: null }, ['EVT-TAGPUSH-21 /after']],
    ['tag_push', 'create', { before: '00' }, ['EVT-TAGPUSH-22 /before']],
    ['tag_push', 'create', { checkout_sha: undefined }, ['EVT-TAGPUSH-10 /checkout_sha']],
    [
      'issue',
      'update',
      { changes: { colour: { previous: null, current: null }, 'a/b': { current: 1 }, c: null } },
      ['EVT-ISSUE-32 /changes/a~1b', 'EVT-ISSUE-32 /changes/c'],
    ],
    ['issue', 'update', { changes: {}, assignees: null }, ['EVT-ISSUE-29 /assignees']],
    [
      'job',
      'success',
      { build_started_at: null, build_finished_at: undefined },
      ['EVT-JOB-15 /build_started_at', 'EVT-JOB-16 /build_finished_at'],
    ],
    ['job', 'pending', { build_started_at: null }, []],
    [
      'job',
      'pending',
      { build_started_at: '2036-03-02 09:02:10 UTC' },
      ['EVT-EVENT-06 /build_started_at'],
    ],
    ['job', 'failed', { build_failure_reason: undefined }, ['EVT-JOB-20 /build_failure_reason']],
    [
      'job',
      'success',
      { build_finished_at: '2001-03-02 09:02:10 UTC' },
      ['EVT-EVENT-07 /build_finished_at', 'EVT-EVENT-07 /build_finished_at'],
    ],
    [
      'job',
      'success',
      { commit: { timestamp: '2026-03-02 09:02' } },
      ['EVT-EVENT-11 /commit/timestamp'],
    ],
    ['push', 'commits', { project_id: 7 }, ['EVT-EVENT-08 /project_id']],
    ['push', 'commits', { after: 'c0ffee' }, ['EVT-PUSH-25 /after']],
    ['push', 'branch-deleted', { after: '' }, []],
    ['push', 'new-branch', { before: '' }, []],
    [
      'push',
      'commits',
      { repository: { name: 'other', url: 'x' } },
      ['EVT-REPOSITORY-05 /repository'],
    ],
    ['push', 'commits', { commits: [{ id: sha }, { id: sha }], total_commits_count: 2 }, []],
    [
      'push',
      'commits',
      {
        commits: [
          { id: sha, title: 'a' },
          { id: sha, title: 'b' },
        ],
        total_commits_count: 2,
      },
      ['EVT-EVENT-10 /commits/1/id'],
    ],
    ['tag_push', 'create', { ref: 'v1' }, ['EVT-TAGPUSH-23 /ref']],
    ['issue', 'update', { labels: [] }, ['EVT-ISSUE-36 /labels']],
    [
      'issue',
      'update',
      {
        changes: {
          title: { previous: 'a', current: 'b' },
          closed_at: { previous: null, current: '2026-03-02T09:02:10Z' },
          description: { previous: 'a', current: null },
        },
        object_attributes: { title: 'c', description: '', assignee_ids: [57], assignee_id: 57 },
      },
      ['EVT-ISSUE-33 /changes/closed_at/current', 'EVT-ISSUE-34 /changes/title/current'],
    ],
    [
      'issue',
      'update',
      { changes: {}, object_attributes: { assignee_ids: [57, 58], assignee_id: 59 } },
      [
        'EVT-ISSUE-35 /object_attributes/assignee_ids',
        'EVT-ISSUE-35 /object_attributes/assignee_id',
      ],
    ],
    [
      'issue',
      'close',
      { changes: {}, object_attributes: { action: 'close', state: 'opened', assignee_id: 57 } },
      ['EVT-ISSUE-37 /object_attributes/state'],
    ],
    [
      'merge_request',
      'merge',
      {
        changes: { updated_at: { previous: 1, current: null } },
        object_attributes: {
          action: 'merge',
          state: 'opened',
          draft: true,
          work_in_progress: false,
          target_project_id: 1,
          assignee_id: 57,
          assignee: 'marek',
        },
      },
      [
        'EVT-MERGEREQUEST-51 /object_attributes/draft',
        'EVT-MERGEREQUEST-51 /object_attributes/target_project_id',
        'EVT-MERGEREQUEST-52 /object_attributes/state',
        'EVT-MERGEREQUEST-53 /changes/updated_at/previous',
      ],
    ],
    [
      'issue',
      'update',
      { changes: {}, object_attributes: { assignee_ids: [57] } },
      ['EVT-ISSUE-13 /object_attributes/assignee_id'],
    ],
    [
      'issue',
      'update',
      { changes: {}, object_attributes: { assignee_ids: [57], assignee_id: null } },
      ['EVT-EVENT-04 /object_attributes/assignee_id'],
    ],
    [
      'issue',
      'update',
      {
        changes: {
          labels: {
            previous: [{ id: 1, created_at: '2026-03-02T09:02:10Z', updated_at: null }],
            current: { 'a/b': { looked_at: 7, at: 8 } },
          },
          'up~_at': { previous: null, current: 9 },
        },
        labels: 'none',
        object_attributes: {},
        assignees: [],
      },
      [
        'EVT-ISSUE-33 /changes/labels/previous/0/created_at',
        'EVT-ISSUE-33 /changes/labels/current/a~1b/looked_at',
        'EVT-ISSUE-33 /changes/up~0_at/current',
      ],
    ],
    [
      'merge_request',
      'update',
      {
        changes: {
          title: { previous: 'a', current: 'b' },
          assignee: { previous: null, current: 'marek' },
          labels: { previous: [], current: [{ id: 1 }] },
          reviewers: { previous: [], current: [{ name: 'Amina' }] },
          draft: { previous: true, current: 'no' },
          milestone_id: { previous: 7, current: null },
        },
        labels: [{ id: 2, title: 'x' }],
        object_attributes: {
          title: 'c',
          assignee_ids: [57],
          assignee_id: 57,
          assignee: { id: 58 },
          reviewer_ids: [64],
          labels: [{ id: 3 }],
          draft: true,
          milestone_id: 7,
          source: { id: 1842, path_with_namespace: 'other' },
          source_project_id: 1843,
          target: { id: 1842 },
          target_project_id: '1842',
        },
      },
      [
        'EVT-MERGEREQUEST-51 /object_attributes/reviewer_ids',
        'EVT-MERGEREQUEST-55 /labels',
        'EVT-MERGEREQUEST-56 /object_attributes/source_project_id',
        'EVT-MERGEREQUEST-56 /object_attributes/assignee_id',
        'EVT-MERGEREQUEST-54 /changes/title/current',
        'EVT-MERGEREQUEST-54 /changes/labels/current',
        'EVT-MERGEREQUEST-54 /changes/milestone_id/current',
        'EVT-EVENT-16 /object_attributes/source/path_with_namespace',
      ],
    ],
    [
      'merge_request',
      'update',
      { changes: {}, object_attributes: { assignee_ids: [57] } },
      [
        'EVT-MERGEREQUEST-21 /object_attributes/assignee_id',
        'EVT-MERGEREQUEST-47 /object_attributes/assignee',
      ],
    ],
    [
      'job',
      'success',
      { sha, build_queued_duration: null },
      ['EVT-JOB-18 /build_queued_duration', 'EVT-JOB-34 /sha'],
    ],
    ['job', 'success', { sha, commit: { id: 90213, url: `https://h/${sha}` } }, []],
    ['job', 'failed', { build_failure_reason: null }, ['EVT-EVENT-04 /build_failure_reason']],
    [
      'release',
      'create',
      { commit: { id: sha, url: `https://h/${'4'.repeat(40)}...${'5'.repeat(64)}` } },
      ['EVT-COMMIT-13 /commit/url'],
    ],
    ['release', 'create', { commit: { id: sha, url: `https://h/a...${sha}` } }, []],
    [
      'pipeline',
      'success-merge-request',
      { merge_request: { source_project_id: 1, target_project_id: 2 } },
      ['EVT-PIPELINE-48 /merge_request/target_project_id'],
    ],
    [
      'pipeline',
      'success-merge-request',
      { merge_request: { source_project_id: 1842, target_project_id: 2 } },
      [],
    ],
    [
      'pipeline',
      'success',
      {
        object_attributes: {},
        builds: [
          { id: 1, user: { id: 57, username: 'zoe' }, runner: { id: 57, description: 'a' } },
          { id: 2, user: { id: 41, username: 'zoe' }, runner: { id: 57, description: 'b' } },
        ],
        user: { id: 57, username: 'marek' },
      },
      ['EVT-EVENT-16 /builds/0/user/username', 'EVT-EVENT-16 /builds/1/runner/description'],
    ],
    [
      'wiki_page',
      'update',
      {
        wiki: {
          web_url: 'https://git.example.com/a/b/wikis',
          git_ssh_url: 'git@git.example.com:a/b.wiki.git',
          git_http_url: 'https://git.example.com/a/b.wiki.git',
          path_with_namespace: 'a/b.wiki',
        },
      },
      ['EVT-WIKIPAGE-22 /wiki'],
    ],
    [
      'tag_push',
      'create',
      { repository: { name: 'other', url: 'x', homepage: 'y' } },
      ['EVT-REPOSITORY-05 /repository'],
    ],
    ['deployment', 'success', { short_sha: 'abc' }, ['EVT-DEPLOYMENT-21 /short_sha']],
    [
      'release',
      'create',
      { assets: { count: 9, links: [], sources: [] } },
      ['EVT-RELEASE-29 /assets/count'],
    ],
  ] as const)(
    'find the expected violations in the sample %s, %s, changed to %j',
    (event, name, change, expected) => {
      expect(listViolations(event, name, change)).toEqual(expected)
    },
  )

  it('report one violation for the payload of another event, and many for an unknown event', () => {
    expect(violationsOf(events.push, exampleOf('issue')!.payload).map(({ path }) => path)).toEqual([
      '/object_kind',
    ])
    expect(violationsOf(events.push, { object_kind: 'pull' }).length).toBeGreaterThan(10)
  })

  it('leave the event_type of a confidential issue open, if there is one', () => {
    const issue = exampleOf('issue')!.payload
    const confidential = {
      ...issue,
      event_type: 'confidential_issue',
      object_attributes: { ...(issue['object_attributes'] as object), confidential: true },
    }
    expect(violationsOf(events.issue, confidential)).toEqual([])
    const paths = [
      { ...issue, event_type: 'other' },
      { ...confidential, event_type: '' },
    ].map((payload) => violationsOf(events.issue, payload).map(({ path }) => path))
    expect(paths).toEqual([['/event_type'], ['/event_type']])
  })

  it('recognize JSON by its media type, and a product by its version', () => {
    expect(
      [
        'application/json',
        'application/json; charset=utf-8',
        'application/hook+JSON',
        'text/json ;a',
      ].filter(declaresJson),
    ).toHaveLength(4)
    expect(['', 'json', 'application/jsonp', 'text/plain'].filter(declaresJson)).toEqual([])
    expect(['Forge/17.3', 'a/b (c)'].filter(hasProductVersion)).toHaveLength(2)
    expect(['', 'Forge', '/1', 'Forge /1', 'Forge/'].filter(hasProductVersion)).toEqual([])
  })
})
