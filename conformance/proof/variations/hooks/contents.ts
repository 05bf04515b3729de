import type { HooksFactor } from './variation.ts'
import { sets, setsAttributes, type Json } from './building.ts'

const zeros = '0'.repeat(64)
/** A push of which no commit is left. */
const gone = { checkout_sha: undefined, commits: [], total_commits_count: 0 }

/** Other contents for what is not shown of merge requests. */
const shows = (attributes: Json, others: Json) =>
  sets('merge_request', (payload) => ({
    object_attributes: { ...(payload['object_attributes'] as Json), ...attributes },
    ...others,
  }))
/** Other states for the builds of a pipeline. */
const states = (stateOf: (at: number) => unknown) =>
  sets('pipeline', ({ builds }) => ({
    builds: (builds as Json[]).map((build, at) => ({ ...build, status: stateOf(at) })),
  }))

/** What the document leaves open of single members. */
export const contents: readonly HooksFactor[] = [
  {
    requirement: 'EVT-PUSH-24',
    name: 'branches',
    levels: [
      { name: 'moved', description: 'Tells of a branch that was there and stays.' },
      {
        name: 'made from zeros',
        description: 'Has zeros before where a branch is made.',
        deviation: sets('push', () => ({ before: zeros })),
      },
      {
        name: 'made from a commit',
        notCombined: true,
        description: 'Has the commit that a branch begins at before.',
        deviation: sets('push', ({ after }) => ({ before: after })),
      },
      {
        name: 'deleted to zeros',
        description: 'Has zeros after where a branch is deleted.',
        deviation: sets('push', () => ({ ...gone, after: zeros, checkout_sha: null })),
      },
      {
        name: 'deleted to nothing',
        notCombined: true,
        description: 'Has an empty text after where a branch is deleted.',
        deviation: sets('push', () => ({ ...gone, after: '' })),
      },
      {
        name: 'deleted at its end',
        notCombined: true,
        description: 'Has the last commit after where a branch is deleted.',
        deviation: sets('push', ({ before }) => ({ ...gone, after: before })),
      },
    ],
  },
  {
    requirement: 'EVT-PUSH-23',
    name: 'commits of a push',
    levels: [
      { name: 'all', description: 'Lists all commits.' },
      {
        name: 'one',
        description: 'Lists one commit, and counts them all.',
        deviation: sets('push', ({ commits }) => ({ commits: (commits as unknown[]).slice(0, 1) })),
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Lists no commits, and counts them all.',
        deviation: sets('push', () => ({ commits: [] })),
      },
    ],
  },
  {
    requirement: 'EVT-TAGPUSH-20',
    name: 'zeros',
    levels: [
      { name: 'forty', description: 'Writes forty zeros.' },
      {
        name: 'sixty-four',
        description: 'Writes as many zeros as SHA-256 has digits.',
        deviation: sets('tag_push', ({ before, after }) => ({
          before: /^0+$/.test(String(before)) ? zeros : before,
          after: /^0+$/.test(String(after)) ? zeros : after,
        })),
      },
    ],
  },
  {
    requirement: 'EVT-ISSUE-23',
    name: 'states of issues',
    levels: [
      { name: 'opened', description: 'Calls an open issue opened.' },
      {
        name: 'closed',
        description: 'Tells of closed issues.',
        deviation: setsAttributes('issue', () => ({ state: 'closed', state_id: 2 })),
      },
      {
        name: 'of its own',
        description: 'Has states of its own.',
        deviation: setsAttributes('issue', () => ({ state: 'In triage', state_id: 4711 })),
      },
      {
        name: 'null',
        notCombined: true,
        description: 'Says null.',
        deviation: setsAttributes('issue', () => ({ state: null })),
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-28',
    name: 'states of merge requests',
    levels: [
      { name: 'opened', description: 'Calls an open merge request opened.' },
      {
        name: 'merged',
        description: 'Tells of merged merge requests.',
        deviation: setsAttributes('merge_request', () => ({ state: 'merged', state_id: 3 })),
      },
      {
        name: 'of its own',
        description: 'Has states of its own.',
        deviation: setsAttributes('merge_request', () => ({ state: 'locked', state_id: -1 })),
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-50',
    name: 'source, target and people of a merge request',
    levels: [
      { name: 'objects', description: 'Shows projects and users.' },
      {
        name: 'empty',
        description: 'Shows objects without members.',
        deviation: shows(
          { source: {}, target: {}, assignee: {} },
          { reviewers: [{}], changes: {} },
        ),
      },
      {
        name: 'names',
        description: 'Shows names and ids alone.',
        deviation: shows(
          { source: 'fork', target: 1842, assignee: 'zoe' },
          { reviewers: ['amina'], changes: ['title', 'draft'] },
        ),
      },
    ],
  },
  {
    requirement: 'EVT-BUILD-05',
    name: 'states of builds',
    levels: [
      { name: 'as of jobs', description: 'Has the states of jobs, and created.' },
      {
        name: 'of its own',
        description: 'Has states of its own.',
        deviation: states((at) => ['manual', 'waiting_for_resource', 'preparing'][at % 3]),
      },
      { name: 'null', notCombined: true, description: 'Says null.', deviation: states(() => null) },
    ],
  },
  {
    requirement: 'EVT-JOB-28',
    name: 'commit and repository of a job',
    levels: [
      { name: 'filled', description: 'Shows what pushes show.' },
      {
        name: 'empty',
        description: 'Shows objects without members.',
        deviation: sets('job', () => ({ commit: {}, repository: {} })),
      },
      {
        name: 'texts',
        description: 'Shows an id and a url.',
        deviation: sets('job', () => ({
          commit: '368737da',
          repository: 'git@git.example.com:a/b.git',
        })),
      },
      {
        name: 'null',
        notCombined: true,
        description: 'Says null.',
        deviation: sets('job', () => ({ commit: null, repository: null })),
      },
    ],
  },
  {
    requirement: 'EVT-RELEASE-26',
    name: 'formats of archives',
    levels: [
      { name: 'two', description: 'Offers zip and tar.gz.' },
      {
        name: 'others',
        description: 'Offers tar.zst and tar alone.',
        deviation: sets('release', ({ assets }) => ({
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
    levels: [
      { name: 'filled', description: 'Shows what pushes show.' },
      {
        name: 'an id',
        description: 'Shows the id alone.',
        deviation: sets('release', () => ({ commit: { id: '368737da' } })),
      },
      {
        name: 'null',
        description: 'Says null.',
        deviation: sets('release', () => ({ commit: null })),
      },
    ],
  },
]
