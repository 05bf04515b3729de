import type { EventName } from '../../../../mocks/deliveries/events.ts'
import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { changePayload, fault, isObject } from './building.ts'

type Json = Record<string, unknown>

const attributes = (payload: Payload) => payload['object_attributes'] as Json
const items = (value: unknown) => value as Json[]
/** The events whose payloads contain `project`: all except job. */
const eventsWithProject: readonly EventName[] = [
  'push',
  'tag_push',
  'issue',
  'merge_request',
  'pipeline',
  'deployment',
  'wiki_page',
  'release',
]

/** Changes pushes and tag pushes for hooks of projects other than the first one. */
const changeElsewhere = (
  name: string,
  description: string,
  violates: HooksFault['violates'],
  change: (payload: Payload, first: number) => void,
): HooksFault =>
  fault(name, description, violates, (hit) => {
    let first: string | undefined
    return {
      around: (call, next) => {
        first = call.server.options.project
        return next()
      },
      beforeDelivery: (delivery) => {
        if (delivery.hook.project === first || !/push$/.test(delivery.event)) return delivery
        hit()
        change(delivery.body, Number(first))
        return delivery
      },
    }
  })

/** Faults in which fields of payloads contradict each other, or the hook. */
export const agreement: readonly HooksFault[] = [
  changePayload(
    eventsWithProject,
    'project-is-a-sample',
    'Always sends the id and name of a sample project, not of the project of the hook.',
    ['EVT-EVENT-09', 'EVT-EVENT-08'],
    (payload) => Object.assign(payload['project'] as Json, { id: 15, name: 'Sample' }),
  ),
  changeElsewhere(
    'tests-describe-the-first-project',
    'Sends the first project as the `project` of pushes of another project.',
    ['EVT-EVENT-09'],
    (payload, first) => {
      Object.assign(payload['project'] as Json, { id: first })
      payload['project_id'] = first
    },
  ),
  changeElsewhere(
    'pushes-elsewhere-have-the-id-of-the-first-project',
    'Sends the id of the first project as the project_id of pushes of another project.',
    ['EVT-EVENT-08'],
    (payload, first) => {
      payload['project_id'] = first
    },
  ),
  changePayload(
    ['job'],
    'job-belongs-to-another-project',
    'Sends the id of another project as project_id of a job.',
    ['EVT-EVENT-09'],
    (payload) => Object.assign(payload, { project_id: Number(payload['project_id']) + 1 }),
  ),
  changePayload(
    ['push', 'tag_push'],
    'push-has-the-id-of-another-project',
    'Sends a project_id that differs from the id in the field `project`.',
    ['EVT-EVENT-08'],
    (payload) => Object.assign(payload, { project_id: Number(payload['project_id']) + 3 }),
  ),
  changePayload(
    ['issue'],
    'issue-belongs-to-another-project',
    'Sends the id of an issue as the project_id in its object_attributes.',
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
    ['issue', 'merge_request'],
    'labels-share-the-id-of-the-first-one',
    'Sends the id of the first label in each label of an issue or merge request.',
    ['EVT-EVENT-10'],
    (payload) => {
      const labels = items(payload['labels'] ?? [])
      for (const label of labels) label['id'] = labels[0]!['id']
      return labels.length > 1
    },
  ),
  changePayload(
    ['release', 'job'],
    'commit-timestamp-is-utc',
    'Sends the timestamp of a commit in the form YYYY-MM-DD HH:MM:SS UTC.',
    ['EVT-EVENT-11'],
    (payload) =>
      isObject(payload['commit']) &&
      Object.assign(payload['commit'], { timestamp: '2026-02-03 11:12:13 UTC' }),
  ),
  changePayload(
    ['release', 'job'],
    'commit-timestamp-is-seconds',
    'Sends the timestamp of a commit in seconds since 1970, as a string.',
    ['EVT-EVENT-11'],
    (payload) =>
      isObject(payload['commit']) && Object.assign(payload['commit'], { timestamp: '1770117133' }),
  ),
  changePayload(
    ['pipeline'],
    'pipeline-runs-for-an-abbreviated-commit',
    'Sends the first eleven digits of the commit id as sha of a pipeline.',
    ['EVT-PIPELINE-46'],
    (payload) =>
      Object.assign(attributes(payload), { sha: String(attributes(payload)['sha']).slice(0, 11) }),
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
    'Omits the first stage in the stages of a pipeline.',
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
    eventsWithProject,
    'path-lacks-the-namespace',
    'Sends the path of a project without its namespace.',
    ['EVT-PROJECT-12'],
    (payload) => {
      const project = payload['project'] as Json
      project['path_with_namespace'] = String(project['path_with_namespace']).split('/').at(-1)
    },
  ),

  changePayload(
    ['push'],
    'after-is-abbreviated',
    'Sends only the first ten digits of the commit id in the field `after` of a push.',
    ['EVT-PUSH-25'],
    (payload) => Object.assign(payload, { after: String(payload['after']).slice(0, 10) }),
  ),
  changePayload(
    ['push'],
    'before-is-the-name-of-a-ref',
    'Sends HEAD~2 in the field `before` of a push.',
    ['EVT-PUSH-25'],
    (payload) => Object.assign(payload, { before: 'HEAD~2' }),
  ),
  changePayload(
    ['tag_push'],
    'zeros-are-too-few',
    'Sends seven zeros in a tag push, instead of as many as a commit id has digits.',
    ['EVT-TAGPUSH-22'],
    (payload) => {
      for (const end of ['before', 'after'])
        if (/^0+$/.test(String(payload[end]))) payload[end] = '0000000'
    },
  ),
  changePayload(
    ['tag_push'],
    'tag-is-a-branch',
    'Sends the ref of a tag with refs/heads instead of refs/tags.',
    ['EVT-TAGPUSH-23'],
    (payload) =>
      Object.assign(payload, { ref: String(payload['ref']).replace('refs/tags', 'refs/heads') }),
  ),
]
