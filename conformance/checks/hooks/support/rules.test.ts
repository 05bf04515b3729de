import { describe, expect, it } from 'vitest'
import { events } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { EventName } from '../../../../generated/events/names.ts'
import { announcesJson, namesProduct, rules, violationsOf, type DeliveryPayload } from './rules.ts'

const sha = '3'.repeat(40)

/** The paths at which a changed golden payload violates rules, each with its requirement. */
function broken(event: EventName, name: string, change: DeliveryPayload): string[] {
  const payload: DeliveryPayload = { ...exampleOf(event, name)!.payload, ...change }
  return rules
    .filter((rule) => rule.event === event && rule.applies(payload))
    .flatMap((rule) =>
      rule.findViolations(payload).map(({ path }) => `${rule.requirement} ${path}`),
    )
}

describe('rules beyond the schemas', () => {
  it.each(examples.map(({ event, name, payload }) => [event, name, payload] as const))(
    'are met by the golden %s, %s',
    (event, _, payload) => {
      expect(
        rules
          .filter((rule) => rule.event === event && rule.applies(payload))
          .flatMap((rule) => rule.findViolations(payload)),
      ).toEqual([])
    },
  )

  it.each([
    ['push', 'commits', { checkout_sha: undefined }, ['EVT-PUSH-11 /checkout_sha']],
    ['push', 'commits', { checkout_sha: null }, []],
    ['push', 'branch-deleted', { checkout_sha: undefined }, []],
    ['push', 'commits', { total_commits_count: 1 }, ['EVT-PUSH-21 /total_commits_count']],
    ['tag_push', 'create', { before: sha }, ['EVT-TAGPUSH-20 /before', 'EVT-TAGPUSH-21 /after']],
    ['tag_push', 'create', { before: '00' }, []],
    ['tag_push', 'create', { checkout_sha: undefined }, ['EVT-TAGPUSH-10 /checkout_sha']],
    [
      'issue',
      'update',
      { changes: { title: { previous: null, current: null }, 'a/b': { current: 1 }, c: null } },
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
  ] as const)('%s %s with %j', (event, name, change, expected) => {
    expect(broken(event, name, change)).toEqual(expected)
  })

  it('report the payload of another event as one violation', () => {
    expect(violationsOf(events.push, exampleOf('issue')!.payload).map(({ path }) => path)).toEqual([
      '/object_kind',
    ])
    expect(violationsOf(events.push, { object_kind: 'pull' }).length).toBeGreaterThan(10)
  })

  it('recognize JSON and products by their headers', () => {
    expect(
      [
        'application/json',
        'application/json; charset=utf-8',
        'application/hook+JSON',
        'text/json ;a',
      ].filter(announcesJson),
    ).toHaveLength(4)
    expect(['', 'json', 'application/jsonp', 'text/plain'].filter(announcesJson)).toEqual([])
    expect(['Forge/17.3', 'a/b (c)'].filter(namesProduct)).toHaveLength(2)
    expect(['', 'Forge', '/1', 'Forge /1', 'Forge/'].filter(namesProduct)).toEqual([])
  })
})
