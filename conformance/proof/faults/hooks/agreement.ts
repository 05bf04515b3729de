import type { EventName } from '../../../../mocks/deliveries/events.ts'
import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { fault, isObject } from './building.ts'

type Json = Record<string, unknown>

/** Changes payloads of some events in place. `change` returns false if it changed nothing. */
const changePayload = (
  events: readonly EventName[],
  name: string,
  description: string,
  violates: HooksFault['violates'],
  change: (payload: Payload) => unknown,
): HooksFault =>
  fault(name, description, violates, (hit) => ({
    beforeDelivery: (delivery) => {
      if (events.includes(delivery.event) && change(delivery.body) !== false) hit()
      return delivery
    },
  }))

const attributes = (payload: Payload) => payload['object_attributes'] as Json
const items = (value: unknown) => value as Json[]
const changeOf = (payload: Payload, name: string) =>
  isObject(payload['changes']) && isObject(payload['changes'][name])
    ? payload['changes'][name]
    : undefined
const everyEvent: readonly EventName[] = [
  'push',
  'tag_push',
  'issue',
  'merge_request',
  'pipeline',
  'deployment',
  'wiki_page',
  'release',
]

/** Payloads whose places contradict each other. */
export const agreement: readonly HooksFault[] = [
  changePayload(
    everyEvent,
    'project-is-a-sample',
    'Sends the data of a sample project, whatever project the hook belongs to.',
    ['EVT-EVENT-09', 'EVT-EVENT-08'],
    (payload) => Object.assign(payload['project'] as Json, { id: 15, name: 'Sample' }),
  ),
  changePayload(
    ['job'],
    'job-belongs-to-another-project',
    'Sends the id of another project in a job.',
    ['EVT-EVENT-09'],
    (payload) => Object.assign(payload, { project_id: Number(payload['project_id']) + 1 }),
  ),
  changePayload(
    ['push', 'tag_push'],
    'push-has-the-id-of-another-project',
    'Sends another project_id than that of the project.',
    ['EVT-EVENT-08'],
    (payload) => Object.assign(payload, { project_id: Number(payload['project_id']) + 3 }),
  ),
  changePayload(
    ['issue'],
    'issue-belongs-to-another-project',
    'Sends the id of an issue as the project_id of its attributes.',
    ['EVT-EVENT-08'],
    (payload) => Object.assign(attributes(payload), { project_id: attributes(payload)['id'] }),
  ),
  changePayload(
    ['push'],
    'commits-share-the-id-of-the-last-one',
    'Sends the id of the last commit in each commit of a push.',
    ['EVT-EVENT-10'],
    (payload) => {
      const commits = items(payload['commits'])
      for (const commit of commits) commit['id'] = commits.at(-1)!['id']
      return commits.length > 1
    },
  ),
  changePayload(
    ['pipeline'],
    'builds-share-an-id',
    'Sends the id of the pipeline in each build.',
    ['EVT-EVENT-10'],
    (payload) => {
      for (const build of items(payload['builds'])) build['id'] = attributes(payload)['id']
      return items(payload['builds']).length > 1
    },
  ),
  changePayload(
    ['release', 'job'],
    'commit-of-a-release-has-a-utc-timestamp',
    'Sends the timestamp of a commit in the form of other timestamps.',
    ['EVT-EVENT-11'],
    (payload) =>
      isObject(payload['commit']) &&
      Object.assign(payload['commit'], { timestamp: '2026-02-03 11:12:13 UTC' }),
  ),
  changePayload(
    ['pipeline'],
    'pipeline-runs-for-the-commit-before',
    'Sends before_sha as sha of a pipeline.',
    ['EVT-PIPELINE-46'],
    (payload) => Object.assign(attributes(payload), { sha: attributes(payload)['before_sha'] }),
  ),
  changePayload(
    ['pipeline'],
    'stages-are-incomplete',
    'Leaves out the first stage of a pipeline.',
    ['EVT-PIPELINE-47'],
    (payload) => (attributes(payload)['stages'] as unknown[]).shift() !== undefined,
  ),
  changePayload(
    ['deployment'],
    'short-sha-is-the-end-of-the-commit',
    'Sends the last digits of the commit id as short_sha.',
    ['EVT-DEPLOYMENT-21'],
    (payload) => Object.assign(payload, { short_sha: String(payload['commit_url']).slice(-9) }),
  ),
  changePayload(
    ['release'],
    'release-counts-links-only',
    'Counts the links of a release, but not its sources.',
    ['EVT-RELEASE-29'],
    (payload) => {
      const assets = payload['assets'] as Json
      assets['count'] = items(assets['links']).length
    },
  ),
  changePayload(
    ['push'],
    'repository-is-another-one',
    'Sends the name and the URLs of another repository in a push.',
    ['EVT-REPOSITORY-05'],
    (payload) =>
      Object.assign(payload['repository'] as Json, {
        name: 'infra',
        url: 'git@git.example.com:ops/infra.git',
        homepage: 'https://git.example.com/ops/infra',
      }),
  ),
  changePayload(
    everyEvent,
    'path-lacks-the-namespace',
    'Sends the path of a project without its namespace.',
    ['EVT-PROJECT-12'],
    (payload) => {
      const project = payload['project'] as Json
      project['path_with_namespace'] = String(project['path_with_namespace']).split('/').at(-1)
    },
  ),

  changePayload(
    ['issue'],
    'changes-are-swapped',
    'Sends previous as current in the changes of an issue, and the reverse.',
    ['EVT-ISSUE-34'],
    (payload) => {
      const changes = Object.values(payload['changes'] as Json).filter(isObject)
      for (const change of changes)
        [change['previous'], change['current']] = [change['current'], change['previous']]
      return changes.length > 0
    },
  ),
  changePayload(
    ['issue'],
    'changed-labels-lack-the-new-label',
    'Sends the labels before the change as the current ones.',
    ['EVT-ISSUE-34'],
    (payload) => {
      const change = changeOf(payload, 'labels')
      return change !== undefined && Object.assign(change, { current: change['previous'] })
    },
  ),
  changePayload(
    ['issue'],
    'changed-issue-has-iso-timestamps',
    'Sends the timestamps in the changes of an issue in ISO 8601.',
    ['EVT-ISSUE-33'],
    (payload) => {
      const change = changeOf(payload, 'updated_at')
      if (change === undefined) return false
      const iso = String(change['current']).replace(' UTC', 'Z').replace(' ', 'T')
      return Object.assign(change, { current: iso, previous: iso })
    },
  ),
  changePayload(
    ['merge_request'],
    'changed-merge-request-has-epochs',
    'Sends the timestamps in the changes of a merge request in seconds since 1970.',
    ['EVT-MERGEREQUEST-53'],
    (payload) => {
      const change = changeOf(payload, 'updated_at')
      return change !== undefined && Object.assign(change, { previous: 1_772_000_000 })
    },
  ),
  changePayload(
    ['issue'],
    'assignee-is-not-among-the-assignees',
    'Sends the author of an issue as assignee_id.',
    ['EVT-ISSUE-35'],
    (payload) => {
      const found = attributes(payload)
      return Object.assign(found, { assignee_id: found['author_id'] })
    },
  ),
  changePayload(
    ['issue'],
    'assignee-ids-are-those-of-others',
    'Sends the ids of users who are not in assignees.',
    ['EVT-ISSUE-35'],
    (payload) =>
      Object.assign(attributes(payload), { assignee_ids: [900_001], assignee_id: 900_001 }),
  ),
  changePayload(
    ['issue'],
    'labels-are-those-before-the-change',
    'Sends the labels of an issue without the last one.',
    ['EVT-ISSUE-36'],
    (payload) =>
      Object.assign(payload, { labels: items(payload['labels']).slice(0, -1) }) &&
      items(attributes(payload)['labels']).length > 0,
  ),
  changePayload(
    ['merge_request'],
    'draft-contradicts-work-in-progress',
    'Sends draft as the opposite of work_in_progress.',
    ['EVT-MERGEREQUEST-51'],
    (payload) => {
      const found = attributes(payload)
      return Object.assign(found, { draft: found['work_in_progress'] !== true })
    },
  ),
  changePayload(
    ['merge_request'],
    'target-is-another-project',
    'Sends the id of another project as target_project_id.',
    ['EVT-MERGEREQUEST-51'],
    (payload) => {
      const found = attributes(payload)
      return Object.assign(found, { target_project_id: Number(found['target_project_id']) + 9 })
    },
  ),

  changePayload(
    ['push'],
    'after-is-abbreviated',
    'Sends the first ten digits of the commit id as after of a push.',
    ['EVT-PUSH-25'],
    (payload) => Object.assign(payload, { after: String(payload['after']).slice(0, 10) }),
  ),
  changePayload(
    ['push'],
    'before-is-the-name-of-a-ref',
    'Sends HEAD~2 as before of a push.',
    ['EVT-PUSH-25'],
    (payload) => Object.assign(payload, { before: 'HEAD~2' }),
  ),
  changePayload(
    ['tag_push'],
    'zeros-are-too-few',
    'Sends seven zeros for the commit that a tag does not have.',
    ['EVT-TAGPUSH-22'],
    (payload) => {
      for (const end of ['before', 'after'])
        if (/^0+$/.test(String(payload[end]))) payload[end] = '0000000'
    },
  ),
  changePayload(
    ['tag_push'],
    'tag-is-a-branch',
    'Sends the ref of a tag as that of a branch.',
    ['EVT-TAGPUSH-23'],
    (payload) =>
      Object.assign(payload, { ref: String(payload['ref']).replace('refs/tags', 'refs/heads') }),
  ),
]
