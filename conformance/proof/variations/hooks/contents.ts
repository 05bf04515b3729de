import type { HooksFactor } from './variation.ts'
import { setMembers, setAttributes, type Json } from './building.ts'

const zeros = '0'.repeat(64)
/** A push without commits. */
const noCommits = { checkout_sha: undefined, commits: [], total_commits_count: 0 }

/** Replaces the parts of merge requests whose content is not stated. */
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

/** The freedoms of single members. */
export const contents: readonly HooksFactor[] = [
  {
    requirement: 'EVT-PUSH-24',
    name: 'branches',
    values: [
      { name: 'moved', description: 'Sends pushes to a branch that exists before and after.' },
      {
        name: 'created with zeros',
        description: 'Sends zeros as before when a branch is created.',
        deviation: setMembers('push', () => ({ before: zeros })),
      },
      {
        name: 'created with a commit',
        notCombined: true,
        description: 'Sends the first commit as before when a branch is created.',
        deviation: setMembers('push', ({ after }) => ({ before: after })),
      },
      {
        name: 'deleted with zeros',
        description: 'Sends zeros as after when a branch is deleted.',
        deviation: setMembers('push', () => ({ ...noCommits, after: zeros, checkout_sha: null })),
      },
      {
        name: 'deleted with an empty string',
        notCombined: true,
        description: 'Sends an empty string as after when a branch is deleted.',
        deviation: setMembers('push', () => ({ ...noCommits, after: '' })),
      },
      {
        name: 'deleted with a commit',
        notCombined: true,
        description: 'Sends the last commit as after when a branch is deleted.',
        deviation: setMembers('push', ({ before }) => ({ ...noCommits, after: before })),
      },
    ],
  },
  {
    requirement: 'EVT-PUSH-23',
    name: 'commits of a push',
    values: [
      { name: 'all', description: 'Lists all commits.' },
      {
        name: 'one',
        description: 'Lists one commit and counts all of them.',
        deviation: setMembers('push', ({ commits }) => ({
          commits: (commits as unknown[]).slice(0, 1),
        })),
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Lists no commits and counts all of them.',
        deviation: setMembers('push', () => ({ commits: [] })),
      },
    ],
  },
  {
    requirement: 'EVT-TAGPUSH-20',
    name: 'zeros',
    values: [
      { name: 'forty', description: 'Sends forty zeros.' },
      {
        name: 'sixty-four',
        description: 'Sends as many zeros as SHA-256 has digits.',
        deviation: setMembers('tag_push', ({ before, after }) => ({
          before: /^0+$/.test(String(before)) ? zeros : before,
          after: /^0+$/.test(String(after)) ? zeros : after,
        })),
      },
    ],
  },
  {
    requirement: 'EVT-ISSUE-23',
    name: 'states of issues',
    values: [
      { name: 'opened', description: 'Sends open issues with state opened.' },
      {
        name: 'closed',
        description: 'Sends closed issues.',
        deviation: setAttributes('issue', () => ({ state: 'closed', state_id: 2 })),
      },
      {
        name: 'custom',
        description: 'Sends a custom state.',
        deviation: setAttributes('issue', () => ({ state: 'In triage', state_id: 4711 })),
      },
      {
        name: 'null',
        notCombined: true,
        description: 'Sends null.',
        deviation: setAttributes('issue', () => ({ state: null })),
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-28',
    name: 'states of merge requests',
    values: [
      { name: 'opened', description: 'Sends open merge requests with state opened.' },
      {
        name: 'merged',
        description: 'Sends merged merge requests.',
        deviation: setAttributes('merge_request', () => ({ state: 'merged', state_id: 3 })),
      },
      {
        name: 'custom',
        description: 'Sends a custom state.',
        deviation: setAttributes('merge_request', () => ({ state: 'locked', state_id: -1 })),
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-50',
    name: 'source, target and users of a merge request',
    values: [
      { name: 'objects', description: 'Sends projects and users.' },
      {
        name: 'empty',
        description: 'Sends objects without members.',
        deviation: setAttributesAndOthers(
          { source: {}, target: {}, assignee: {} },
          { reviewers: [{}], changes: {} },
        ),
      },
      {
        name: 'names',
        description: 'Sends objects with name and id only.',
        deviation: setAttributesAndOthers(
          { source: 'fork', target: 1842, assignee: 'zoe' },
          { reviewers: ['amina'], changes: ['title', 'draft'] },
        ),
      },
    ],
  },
  {
    requirement: 'EVT-BUILD-05',
    name: 'states of builds',
    values: [
      { name: 'the states of jobs', description: 'Sends the states of jobs, and created.' },
      {
        name: 'custom',
        description: 'Sends custom states.',
        deviation: setBuildStates((at) => ['manual', 'waiting_for_resource', 'preparing'][at % 3]),
      },
      {
        name: 'null',
        notCombined: true,
        description: 'Sends null.',
        deviation: setBuildStates(() => null),
      },
    ],
  },
  {
    requirement: 'EVT-JOB-28',
    name: 'commit and repository of a job',
    values: [
      { name: 'filled', description: 'Sends the same members as pushes.' },
      {
        name: 'empty',
        description: 'Sends objects without members.',
        deviation: setMembers('job', () => ({ commit: {}, repository: {} })),
      },
      {
        name: 'strings',
        description: 'Sends an id and a url.',
        deviation: setMembers('job', () => ({
          commit: '368737da',
          repository: 'git@git.example.com:a/b.git',
        })),
      },
      {
        name: 'null',
        notCombined: true,
        description: 'Sends null.',
        deviation: setMembers('job', () => ({ commit: null, repository: null })),
      },
    ],
  },
  {
    requirement: 'EVT-RELEASE-26',
    name: 'formats of archives',
    values: [
      { name: 'two', description: 'Sends zip and tar.gz.' },
      {
        name: 'others',
        description: 'Sends tar.zst and tar.',
        deviation: setMembers('release', ({ assets }) => ({
          assets: {
            ...(assets as Json),
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
    name: 'commit of a release',
    values: [
      { name: 'filled', description: 'Sends the same members as pushes.' },
      {
        name: 'an id',
        description: 'Sends only the id.',
        deviation: setMembers('release', () => ({ commit: { id: '368737da' } })),
      },
      {
        name: 'null',
        description: 'Sends null.',
        deviation: setMembers('release', () => ({ commit: null })),
      },
    ],
  },
]
