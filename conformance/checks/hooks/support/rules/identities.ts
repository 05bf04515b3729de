import { isObject } from '../../../../engine/index.ts'
import { eventNames } from '../../../../../generated/events/names.ts'
import { isCommitId } from './pushes.ts'
import {
  describe,
  listObjects,
  valueAt,
  violationUnless,
  type DeliveryPayload,
  type LocatedObject,
  type PayloadRule,
} from './rule.ts'

// Rules for objects that a payload identifies at more than one place.

/**
 * The kinds of objects that a payload can contain more than once: where they are, and the field
 * that names them.
 */
const kinds = [
  {
    at: /^\/(?:user|(?:assignees|reviewers)\/\d+|object_attributes\/assignee|builds\/\d+\/user)$/,
    field: 'username',
  },
  { at: /^(?:\/object_attributes)?\/labels\/\d+$/, field: 'title' },
  { at: /^\/changes\/labels\/current\/\d+$/, field: 'title' },
  { at: /^\/builds\/\d+\/runner$/, field: 'description' },
  { at: /^\/(?:project|object_attributes\/(?:source|target))$/, field: 'path_with_namespace' },
] as const

interface NamedObject {
  path: string
  field: string
  id: unknown
  name: unknown
}

/** The objects of a payload that have an id and a name. */
const listNamed = (payload: DeliveryPayload): NamedObject[] =>
  listObjects(payload).flatMap(({ path, value }) => {
    const field = kinds.find(({ at }) => at.test(path))?.field
    if (field === undefined) return []
    const [id, name] = [value['id'] ?? null, value[field]]
    return id === null || typeof name !== 'string' ? [] : [{ path, field, id, name }]
  })

/** The pairs of objects of one kind that have the same id, the earlier one first. */
const listPairs = (payload: DeliveryPayload): (readonly [NamedObject, NamedObject])[] => {
  const firsts = new Map<string, Map<unknown, NamedObject>>()
  return listNamed(payload).flatMap((object) => {
    const ofField = firsts.get(object.field) ?? new Map<unknown, NamedObject>()
    firsts.set(object.field, ofField)
    const first = ofField.get(object.id)
    if (first === undefined) ofField.set(object.id, object)
    return first === undefined ? [] : [[first, object] as const]
  })
}

/** All commit ids in a string. */
const commitIdsIn = (url: string): readonly string[] =>
  url.match(/(?<![\da-f])(?:[\da-f]{64}|[\da-f]{40})(?![\da-f])/gi) ?? []

/** The objects with a commit id whose `url` contains commit ids. */
const listCommits = (payload: DeliveryPayload): LocatedObject[] =>
  listObjects(payload).filter(
    ({ value: { id, url } }) =>
      isCommitId(id) && typeof url === 'string' && commitIdsIn(url).length > 0,
  )

const isSameId = (one: unknown, other: unknown) =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Whether a wiki has a URL or a path that begins with one of the project. */
function belongsTo(wiki: DeliveryPayload, project: DeliveryPayload): boolean {
  const pairs = [
    ['path_with_namespace', 'path_with_namespace'],
    ['web_url', 'web_url'],
    ['git_http_url', 'web_url'],
    ['git_http_url', 'git_http_url'],
    ['git_ssh_url', 'git_ssh_url'],
  ] as const
  return pairs.some(([own, other]) => {
    const [value, start] = [wiki[own], project[other]]
    return (
      typeof value !== 'string' ||
      typeof start !== 'string' ||
      value.toLowerCase().startsWith(start.toLowerCase().replace(/\/$|\.git$/, ''))
    )
  })
}

export const identityRules: readonly PayloadRule[] = [
  {
    requirement: 'EVT-COMMIT-13',
    events: eventNames,
    title: 'has the id of a commit in the URL of the commit',
    name: 'has the id of the commit',
    expected: 'the id of the commit',
    applies: (payload) => listCommits(payload).length > 0,
    findViolations: (payload) =>
      listCommits(payload)
        .filter(
          ({ value: { id, url } }) =>
            !commitIdsIn(String(url)).some((found) => isSameId(found, id)),
        )
        .map(({ path, value: { id, url } }) => ({
          path: `${path}/url`,
          received: `${describe(url)}, and the id ${describe(id)}`,
        })),
  },
  {
    requirement: 'EVT-EVENT-16',
    events: ['issue', 'merge_request', 'pipeline'],
    title: 'has the same name wherever it has the same user, label, runner or project',
    name: 'has the same names',
    expected: 'the name that another object with the same id has',
    applies: (payload) => listPairs(payload).length > 0,
    findViolations: (payload) =>
      listPairs(payload)
        .filter(([first, object]) => first.name !== object.name)
        .map(([first, object]) => ({
          path: `${object.path}/${object.field}`,
          received: `${object.path}: ${describe(object.name)}, ${first.path}: ${describe(first.name)}`,
        })),
  },
  {
    requirement: 'EVT-PIPELINE-48',
    events: ['pipeline'],
    title: 'has the project among the two projects of the merge request of a pipeline',
    name: 'has a merge request of the project',
    expected: 'the id of the project in source_project_id or target_project_id',
    applies: (payload) =>
      ['/project/id', '/merge_request/source_project_id', '/merge_request/target_project_id'].every(
        (path) => typeof valueAt(payload, path) === 'number',
      ),
    findViolations: (payload) => {
      const ids = ['source', 'target'].map((end) =>
        valueAt(payload, `/merge_request/${end}_project_id`),
      )
      return violationUnless(
        '/merge_request/target_project_id',
        ids.includes(valueAt(payload, '/project/id')),
        ids,
      )
    },
  },
  {
    requirement: 'EVT-JOB-34',
    events: ['job'],
    title: 'has the id of the commit of a job in sha',
    name: 'has the id of the commit',
    expected: 'the id of the commit in `commit`',
    applies: (payload) => isCommitId(payload['sha']) && isCommitId(valueAt(payload, '/commit/id')),
    findViolations: (payload) => {
      const [sha, id] = [payload['sha'], valueAt(payload, '/commit/id')]
      return isSameId(sha, id)
        ? []
        : [{ path: '/sha', received: `sha ${describe(sha)}, commit.id ${describe(id)}` }]
    },
  },
  {
    requirement: 'EVT-WIKIPAGE-22',
    events: ['wiki_page'],
    title: 'describes the wiki of the project',
    name: 'describes the wiki of the project',
    expected: 'a URL or a path that begins with one of the project in `project`',
    applies: ({ wiki, project }) => isObject(wiki) && isObject(project),
    findViolations: ({ wiki, project }) =>
      violationUnless(
        '/wiki',
        belongsTo(wiki as DeliveryPayload, project as DeliveryPayload),
        wiki,
      ),
  },
]
