import type { HooksFactor } from './variation.ts'
import { setMembers, setAttributes, type Json } from './building.ts'

const zeros = '0'.repeat(64)
/** Lengthens an id from 40 to 64 digits. */
const lengthenId = (id: unknown) => String(id) + String(id).slice(0, 24)
/** A push without commits. */
const noCommits = { checkout_sha: null, commits: [], total_commits_count: 0 }

/**
 * Replaces members in the payloads of merge requests: `attributes` in object_attributes, `others`
 * at the top level.
 */
const setAttributesAndOthers = (attributes: Json, others: Json) =>
  setMembers('merge_request', (payload) => ({
    object_attributes: { ...(payload['object_attributes'] as Json), ...attributes },
    ...others,
  }))
/** Replaces the states of the builds of a pipeline. */
const setBuildStates = (stateOf: (at: number) => unknown) =>
  setMembers('pipeline', ({ builds }) => ({
    builds: (builds as Json[]).map((build, at) => ({ ...build, status: stateOf(at) })),
  }))

/** What the document leaves open about single members of payloads. */
export const contents: readonly HooksFactor[] = [
  {
    requirement: 'EVT-PUSH-24',
    name: 'values of before and after',
    values: [
      {
        name: 'two commit ids for an existing branch',
        description: 'Sends pushes to a branch that exists before and after the push.',
      },
      {
        name: 'zeros in before for a created branch',
        description: 'Sends zeros in the field `before` when a branch is created.',
        deviation: setMembers('push', () => ({ before: zeros })),
      },
      {
        name: 'a commit id in before for a created branch',
        notCombined: true,
        description: 'Sends the same commit id in `before` and `after` when a branch is created.',
        deviation: setMembers('push', ({ after }) => ({ before: after })),
      },
      {
        name: 'zeros in after for a deleted branch',
        description: 'Sends zeros in the field `after` when a branch is deleted.',
        deviation: setMembers('push', () => ({ ...noCommits, after: zeros, checkout_sha: null })),
      },
      {
        name: 'an empty string in after for a deleted branch',
        notCombined: true,
        description: 'Sends an empty string in the field `after` when a branch is deleted.',
        deviation: setMembers('push', () => ({ ...noCommits, after: '' })),
      },
      {
        name: 'a commit id in after for a deleted branch',
        notCombined: true,
        description: 'Sends the same commit id in `before` and `after` when a branch is deleted.',
        deviation: setMembers('push', ({ before }) => ({ ...noCommits, after: before })),
      },
    ],
  },
  {
    requirement: 'EVT-PUSH-23',
    name: 'listed commits of a push',
    values: [
      { name: 'all', description: 'Lists all commits.' },
      {
        name: 'one',
        description: 'Lists one commit, but counts all commits.',
        deviation: setMembers('push', ({ commits }) => ({
          commits: (commits as unknown[]).slice(0, 1),
        })),
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Lists no commit, but counts all commits.',
        deviation: setMembers('push', () => ({ commits: [] })),
      },
    ],
  },
  {
    requirement: 'EVT-TAGPUSH-20',
    name: 'zeros in place of a commit id',
    values: [
      { name: '40', description: 'Sends forty zeros.' },
      {
        name: '64',
        description: 'Sends commit ids and zeros of 64 digits, as with SHA-256.',
        deviation: setMembers('tag_push', ({ before, after }) => ({
          before: lengthenId(before),
          after: lengthenId(after),
        })),
      },
    ],
  },
  {
    requirement: 'EVT-ISSUE-23',
    name: 'states of issues other than opened',
    values: [
      { name: 'none', description: 'Sends open issues with state opened.' },
      {
        name: 'closed',
        description: 'Sends closed issues.',
        deviation: setAttributes('issue', () => ({ state: 'closed', state_id: 2 })),
      },
      {
        name: 'a value that the document does not contain',
        description: 'Sends a custom state.',
        deviation: setAttributes('issue', () => ({ state: 'In triage', state_id: 4711 })),
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-28',
    name: 'states of merge requests other than opened',
    values: [
      { name: 'none', description: 'Sends open merge requests with state opened.' },
      {
        name: 'merged',
        description: 'Sends merged merge requests.',
        deviation: setAttributes('merge_request', () => ({ state: 'merged', state_id: 3 })),
      },
      {
        name: 'a value that the document does not contain',
        description: 'Sends a custom state.',
        deviation: setAttributes('merge_request', () => ({ state: 'locked', state_id: -1 })),
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-50',
    name: 'form of source, target, assignee, reviewers and changes',
    values: [
      { name: 'objects', description: 'Sends these fields as objects with all members.' },
      {
        name: 'empty objects',
        description: 'Sends objects without members.',
        deviation: setAttributesAndOthers(
          { source: {}, target: {}, assignee: {} },
          { reviewers: [{}], changes: {} },
        ),
      },
      {
        name: 'names or ids',
        description: 'Sends a name or an id instead of each object.',
        deviation: setAttributesAndOthers(
          { source: 'fork', target: 1842, assignee: 'zoe' },
          { reviewers: ['amina'], changes: ['title', 'draft'] },
        ),
      },
    ],
  },
  {
    requirement: 'EVT-BUILD-05',
    name: 'values of status',
    values: [
      {
        name: 'the statuses of a job',
        description: 'Sends builds in the states of jobs, and in the state created.',
      },
      {
        name: 'values that the document does not contain',
        description: 'Sends custom states.',
        deviation: setBuildStates((at) => ['manual', 'waiting_for_resource', 'preparing'][at % 3]),
      },
    ],
  },
  {
    requirement: 'EVT-JOB-28',
    name: 'form of commit and repository in a job event',
    values: [
      { name: 'objects as in push events', description: 'Sends the same members as pushes.' },
      {
        name: 'empty objects',
        description: 'Sends objects without members.',
        deviation: setMembers('job', () => ({ commit: {}, repository: {} })),
      },
      {
        name: 'strings',
        description: 'Sends a commit id and a repository URL instead of the objects.',
        deviation: setMembers('job', () => ({
          commit: '368737da',
          repository: 'git@git.example.com:a/b.git',
        })),
      },
      {
        name: 'null',
        notCombined: true,
        description: 'Sends null instead of both objects.',
        deviation: setMembers('job', () => ({ commit: null, repository: null })),
      },
    ],
  },
  {
    requirement: 'EVT-RELEASE-26',
    name: 'formats of the sources',
    values: [
      { name: 'only zip and tar.gz', description: 'Sends archives in the formats zip and tar.gz.' },
      {
        name: 'only tar.zst and tar',
        description: 'Sends archives in the formats tar.zst and tar.',
        deviation: setMembers('release', ({ assets }) => ({
          assets: {
            ...(assets as Json),
            count: ((assets as Json)['links'] as unknown[]).length + 2,
            sources: ['tar.zst', 'tar'].map((format) => ({
              format,
              url: `https://git.example.com/a.${format}`,
            })),
          },
        })),
      },
    ],
  },
  {
    requirement: 'EVT-RELEASE-28',
    name: 'form of commit in a release event',
    values: [
      { name: 'an object as in push events', description: 'Sends the same members as pushes.' },
      {
        name: 'an object with only an id',
        description: 'Sends a commit with only an id.',
        deviation: setMembers('release', () => ({ commit: { id: '368737da' } })),
      },
      {
        name: 'null',
        description: 'Sends null instead of the commit.',
        deviation: setMembers('release', () => ({ commit: null })),
      },
    ],
  },
]
