import { isObject } from '../../../../engine/index.ts'
import { eventNames } from '../../../../../generated/events/names.ts'
import {
  describe,
  noViolations,
  valueAt,
  violationUnless,
  listArrays,
  type DeliveryPayload,
  type PayloadRule,
} from './rule.ts'

// Rules for fields of one payload that must agree, and for the form of paths and timestamps.

/** The fields that contain the id of an event's project. */
const projectPaths = ['/project_id', '/object_attributes/project_id']

/** The id of an element of a list; undefined if it has none. */
const idOf = (item: unknown) => (isObject(item) ? (item['id'] ?? undefined) : undefined)

/**
 * Returns the index of the first element that has the id of an earlier element, but differs from
 * it; -1 if there is none. A list may contain the same element twice.
 */
function findRepeatedId(items: readonly unknown[]): number {
  return items.findIndex((item, index) => {
    const id = idOf(item)
    if (id === undefined) return false
    return items
      .slice(0, index)
      .some((other) => idOf(other) === id && JSON.stringify(other) !== JSON.stringify(item))
  })
}

const lastSegment = (path: string) => path.split('/').at(-1)!
const normalizeName = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '-')
const normalizeUrl = (url: string) => url.replace(/\/+$/, '').replace(/\.git$/, '')

/**
 * Whether a repository has a name of the project, and a URL of the project as its url or homepage.
 * A value that is not a string counts as right, because the schemas cover its type.
 */
function describesProject(repository: DeliveryPayload, project: DeliveryPayload): boolean {
  const strings = (names: readonly string[]) =>
    names.map((name) => project[name]).filter((value) => typeof value === 'string')
  const { name, url, homepage } = repository
  const path = String(project['path_with_namespace'])
  const names = [...strings(['name']), path, lastSegment(path)].map(normalizeName)
  const urls = strings(['web_url', 'git_ssh_url', 'git_http_url']).map(normalizeUrl)
  const hasUrl = (value: unknown) => typeof value !== 'string' || urls.includes(normalizeUrl(value))
  const hasName = typeof name !== 'string' || names.some((own) => normalizeName(name).endsWith(own))
  return hasName && (hasUrl(url) || hasUrl(homepage))
}

/** The commit id in a URL; undefined if there is none. */
const commitIdIn = (url: unknown) =>
  typeof url === 'string'
    ? /(?<![\da-f])(?:[\da-f]{64}|[\da-f]{40})(?![\da-f])/i.exec(url)?.[0]
    : undefined

/** Whether a string roughly has the form of an ISO 8601 timestamp. */
const isIsoTimestamp = (value: string) =>
  /^[\dWw-]{7,10}[Tt][\d:.,]+(?:[Zz]|[+−-][\d:]+)?$/.test(value)

export const agreementRules: readonly PayloadRule[] = [
  {
    requirement: 'EVT-PROJECT-12',
    events: eventNames,
    title: 'has a namespace in path_with_namespace',
    name: 'has a namespace',
    expected: 'a path with at least one slash',
    applies: (payload) => typeof valueAt(payload, '/project/path_with_namespace') === 'string',
    findViolations: (payload) => {
      const path = valueAt(payload, '/project/path_with_namespace')
      return violationUnless('/project/path_with_namespace', /[^/]\/[^/]/.test(String(path)), path)
    },
  },
  {
    requirement: 'EVT-REPOSITORY-05',
    events: ['push', 'tag_push'],
    title: 'describes the repository of the project',
    name: 'describes the repository of the project',
    expected: 'a name and a URL of the project in `project`',
    applies: ({ repository, project }) => isObject(repository) && isObject(project),
    findViolations: ({ repository, project }) =>
      violationUnless(
        '/repository',
        describesProject(repository as DeliveryPayload, project as DeliveryPayload),
        repository,
      ),
  },
  {
    requirement: 'EVT-EVENT-08',
    events: ['push', 'tag_push', 'issue'],
    title: 'has the id of the project in project_id',
    name: 'has the id of the project',
    expected: 'the id of the project in `project`',
    applies: (payload) => typeof valueAt(payload, '/project/id') === 'number',
    findViolations: (payload) => {
      const id = valueAt(payload, '/project/id')
      return projectPaths.flatMap((path) => {
        const value = valueAt(payload, path)
        return typeof value !== 'number' || value === id
          ? noViolations
          : [{ path, received: `project_id ${describe(value)}, project.id ${describe(id)}` }]
      })
    },
  },
  {
    requirement: 'EVT-EVENT-10',
    events: eventNames,
    title: 'has a different id in each element of a list',
    name: 'has different ids',
    expected: 'different ids in different elements',
    applies: (payload) =>
      listArrays(payload).some(
        ({ items }) => items.filter((item) => idOf(item) !== undefined).length > 1,
      ),
    findViolations: (payload) =>
      listArrays(payload).flatMap(({ path, items }) => {
        const index = findRepeatedId(items)
        return index === -1
          ? noViolations
          : [
              {
                path: `${path}/${index}/id`,
                received: `${path}: two elements with the id ${describe(idOf(items[index]))}`,
              },
            ]
      }),
  },
  {
    requirement: 'EVT-EVENT-11',
    events: ['job', 'release'],
    title: 'has an ISO 8601 timestamp in the commit of a job or release',
    name: 'has an ISO 8601 timestamp',
    expected: 'an ISO 8601 timestamp',
    applies: (payload) => typeof valueAt(payload, '/commit/timestamp') === 'string',
    findViolations: (payload) => {
      const timestamp = valueAt(payload, '/commit/timestamp')
      return violationUnless('/commit/timestamp', isIsoTimestamp(String(timestamp)), timestamp)
    },
  },
  {
    requirement: 'EVT-PIPELINE-46',
    events: ['pipeline'],
    title: 'has the id of the commit in sha',
    name: 'has the id of the commit',
    expected: 'the id of the commit in `commit`',
    applies: (payload) =>
      typeof valueAt(payload, '/object_attributes/sha') === 'string' &&
      typeof valueAt(payload, '/commit/id') === 'string',
    findViolations: (payload) => {
      const [sha, id] = [valueAt(payload, '/object_attributes/sha'), valueAt(payload, '/commit/id')]
      return sha === id
        ? noViolations
        : [
            {
              path: '/object_attributes/sha',
              received: `sha ${describe(sha)}, commit.id ${describe(id)}`,
            },
          ]
    },
  },
  {
    requirement: 'EVT-PIPELINE-47',
    events: ['pipeline'],
    title: 'lists the stage of each build',
    name: 'lists the stage',
    expected: 'a stage of object_attributes.stages',
    applies: (payload) =>
      Array.isArray(payload['builds']) &&
      payload['builds'].length > 0 &&
      Array.isArray(valueAt(payload, '/object_attributes/stages')),
    findViolations: (payload) => {
      const stages = valueAt(payload, '/object_attributes/stages') as unknown[]
      return (payload['builds'] as unknown[]).flatMap((build, index) =>
        isObject(build) && typeof build['stage'] === 'string' && !stages.includes(build['stage'])
          ? [{ path: `/builds/${index}/stage`, received: describe(build['stage']) }]
          : noViolations,
      )
    },
  },
  {
    requirement: 'EVT-DEPLOYMENT-21',
    events: ['deployment'],
    title: 'abbreviates the commit id of commit_url in short_sha',
    name: 'abbreviates the commit id',
    expected: 'the beginning of the commit id in commit_url',
    applies: ({ commit_url: url, short_sha: short }) =>
      commitIdIn(url) !== undefined && typeof short === 'string',
    findViolations: ({ commit_url: url, short_sha: short }) =>
      violationUnless(
        '/short_sha',
        short !== '' && commitIdIn(url)!.toLowerCase().startsWith(String(short).toLowerCase()),
        short,
      ),
  },
  {
    requirement: 'EVT-RELEASE-29',
    events: ['release'],
    title: 'counts the links and sources of a release',
    name: 'counts links and sources',
    expected: 'the number of links and sources',
    applies: (payload) =>
      ['links', 'sources'].every((name) => Array.isArray(valueAt(payload, `/assets/${name}`))),
    findViolations: (payload) => {
      const { links, sources, count } = payload['assets'] as Record<string, unknown[]>
      const number = links!.length + sources!.length
      return violationUnless('/assets/count', (count as unknown) === number, count)
    },
  },
]
