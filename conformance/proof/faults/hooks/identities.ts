import type { EventName } from '../../../../mocks/deliveries/events.ts'
import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { changeExample, changePayload, isObject } from './building.ts'

type Json = Record<string, unknown>

const attributes = (payload: Payload) => payload['object_attributes'] as Json
const items = (value: unknown) => value as Json[]
const reverse = (text: string) => text.split('').toReversed().join('')

/** All objects of a value, outer ones first. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const members = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? members : [value as Json, ...members]
}

/** Replaces the commit id in the URL of each commit. Returns whether there was one. */
function replaceCommitUrls(payload: Payload): boolean {
  const commits = objectsIn(payload).filter(
    ({ id, url }) => typeof id === 'string' && typeof url === 'string' && url.includes(id),
  )
  for (const commit of commits)
    commit['url'] = String(commit['url']).replace(
      String(commit['id']),
      reverse(String(commit['id'])),
    )
  return commits.length > 0
}

const commitUrls = (['push', 'merge_request', 'pipeline', 'job', 'release'] as const).map(
  (event: EventName) =>
    changePayload(
      [event],
      `commit-urls-of-${event.replace('_', '-')}-lead-elsewhere`,
      `Sends the URL of another commit as the url of each commit in ${event} events.`,
      ['EVT-COMMIT-13'],
      replaceCommitUrls,
    ),
)

/** Faults in which the places of a payload name the same object in different ways. */
export const identities: readonly HooksFault[] = [
  ...commitUrls,
  changeExample(
    'tag_push',
    'create-candidate',
    'commit-urls-of-tag-push-lead-elsewhere',
    'Sends the URL of another commit as the url of each commit in tag pushes.',
    ['EVT-COMMIT-13'],
    replaceCommitUrls,
  ),
  changePayload(
    ['tag_push'],
    'tagged-repository-is-another-one',
    'Sends the name and the URLs of another repository in a tag push.',
    ['EVT-REPOSITORY-05'],
    (payload) =>
      Object.assign(payload['repository'] as Json, {
        name: 'infra',
        url: 'git@git.example.com:ops/infra.git',
        homepage: 'https://git.example.com/ops/infra',
      }),
  ),
  changePayload(
    ['push'],
    'push-checks-out-the-commit-before',
    'Sends the commit before a push as its checkout_sha.',
    ['EVT-PUSH-26'],
    (payload) => Object.assign(payload, { checkout_sha: payload['before'] }),
  ),
  changePayload(
    ['push'],
    'push-checks-out-an-abbreviated-commit',
    'Sends the first eight digits of a commit id as checkout_sha of a push.',
    ['EVT-PUSH-26'],
    (payload) =>
      Object.assign(payload, { checkout_sha: String(payload['checkout_sha']).slice(0, 8) }),
  ),
  changePayload(
    ['issue', 'merge_request'],
    'labels-have-other-titles-at-the-top',
    'Sends the titles of labels in capitals in `labels`, but not in object_attributes.labels.',
    ['EVT-EVENT-16'],
    (payload) => {
      for (const label of items(payload['labels']))
        label['title'] = String(label['title']).toUpperCase()
      return items(payload['labels']).length > 0
    },
  ),
  changePayload(
    ['merge_request'],
    'target-has-the-path-of-another-project',
    'Sends the path of another project in the object `target` of a merge request.',
    ['EVT-EVENT-16'],
    (payload) => {
      const { target } = attributes(payload)
      return isObject(target) && Object.assign(target, { path_with_namespace: 'ops/infra' })
    },
  ),
  changePayload(
    ['pipeline'],
    'builds-are-those-of-another-name',
    'Sends another username of the same user in the builds of a pipeline.',
    ['EVT-EVENT-16'],
    (payload) => {
      const users = items(payload['builds'])
        .map(({ user }) => user)
        .filter(isObject)
      for (const user of users) user['username'] = `${String(user['username'])}-ci`
      return users.length > 0
    },
  ),
  changePayload(
    ['pipeline'],
    'runners-share-an-id',
    'Sends the same runner id for each build of a pipeline, with different descriptions.',
    ['EVT-EVENT-16'],
    (payload) => {
      const runners = items(payload['builds'])
        .map(({ runner }) => runner)
        .filter(isObject)
      runners.forEach((runner, index) =>
        Object.assign(runner, { id: 11, description: `runner ${index + 1}` }),
      )
      return runners.length > 1
    },
  ),
  ...['source', 'target'].map((end) =>
    changePayload(
      ['merge_request'],
      `${end}-is-not-the-project-of-its-id`,
      `Sends another id in the object \`${end}\` of a merge request than in ${end}_project_id.`,
      ['EVT-MERGEREQUEST-56'],
      (payload) => {
        const project = attributes(payload)[end]
        return isObject(project) && Object.assign(project, { id: Number(project['id']) + 12 })
      },
    ),
  ),
  changePayload(
    ['merge_request'],
    'assignee-has-another-id',
    'Sends the id of another user in the object `assignee` of a merge request.',
    ['EVT-MERGEREQUEST-56'],
    (payload) => {
      const { assignee } = attributes(payload)
      return isObject(assignee) && Object.assign(assignee, { id: 900_002 })
    },
  ),
  changePayload(
    ['pipeline'],
    'pipeline-has-a-merge-request-of-others',
    'Sends the ids of two other projects in the merge request of a pipeline.',
    ['EVT-PIPELINE-48'],
    ({ merge_request: request }) =>
      isObject(request) &&
      Object.assign(request, { source_project_id: 900_003, target_project_id: 900_004 }),
  ),
  changePayload(
    ['pipeline'],
    'pipeline-has-ids-of-the-merge-request-for-projects',
    'Sends the id of the merge request as both project ids in a pipeline.',
    ['EVT-PIPELINE-48'],
    ({ merge_request: request }) =>
      isObject(request) &&
      Object.assign(request, {
        source_project_id: request['id'],
        target_project_id: request['id'],
      }),
  ),
  changePayload(
    ['job'],
    'job-has-another-commit-in-sha',
    'Sends another commit id in sha than in the commit of a job.',
    ['EVT-JOB-34'],
    (payload) => Object.assign(payload, { sha: reverse(String(payload['sha'])) }),
  ),
  changePayload(
    ['job'],
    'job-has-the-commit-before',
    'Sends before_sha as the id of the commit of a job.',
    ['EVT-JOB-34'],
    (payload) =>
      isObject(payload['commit']) &&
      Object.assign(payload['commit'], { id: payload['before_sha'], url: null }),
  ),
  changePayload(
    ['wiki_page'],
    'wiki-is-that-of-another-project',
    'Sends the path and the URLs of the wiki of another project.',
    ['EVT-WIKIPAGE-22'],
    (payload) =>
      Object.assign(payload['wiki'] as Json, {
        web_url: 'https://git.example.com/ops/infra/wikis/home',
        git_ssh_url: 'git@git.example.com:ops/infra.wiki.git',
        git_http_url: 'https://git.example.com/ops/infra.wiki.git',
        path_with_namespace: 'ops/infra.wiki',
      }),
  ),
  changePayload(
    ['wiki_page'],
    'wiki-has-invented-addresses',
    'Sends the slug of a page in all addresses of its wiki.',
    ['EVT-WIKIPAGE-22'],
    (payload) => {
      const slug = String(attributes(payload)['slug'])
      const names = ['web_url', 'git_ssh_url', 'git_http_url', 'path_with_namespace']
      return Object.assign(
        payload['wiki'] as Json,
        Object.fromEntries(names.map((name) => [name, slug])),
      )
    },
  ),
]
