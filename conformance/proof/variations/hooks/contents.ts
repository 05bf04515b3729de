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
    row: 'EVT-PUSH-24',
    factor: 'branches',
    levels: [
      { name: 'moved', says: 'Tells of a branch that was there and stays.' },
      {
        name: 'made from zeros',
        says: 'Has zeros before where a branch is made.',
        deviation: sets('push', () => ({ before: zeros })),
      },
      {
        name: 'made from a commit',
        alone: true,
        says: 'Has the commit that a branch begins at before.',
        deviation: sets('push', ({ after }) => ({ before: after })),
      },
      {
        name: 'deleted to zeros',
        says: 'Has zeros after where a branch is deleted.',
        deviation: sets('push', () => ({ ...gone, after: zeros, checkout_sha: null })),
      },
      {
        name: 'deleted to nothing',
        alone: true,
        says: 'Has an empty text after where a branch is deleted.',
        deviation: sets('push', () => ({ ...gone, after: '' })),
      },
      {
        name: 'deleted at its end',
        alone: true,
        says: 'Has the last commit after where a branch is deleted.',
        deviation: sets('push', ({ before }) => ({ ...gone, after: before })),
      },
    ],
  },
  {
    row: 'EVT-PUSH-23',
    factor: 'commits of a push',
    levels: [
      { name: 'all', says: 'Lists all commits.' },
      {
        name: 'one',
        says: 'Lists one commit, and counts them all.',
        deviation: sets('push', ({ commits }) => ({ commits: (commits as unknown[]).slice(0, 1) })),
      },
      {
        name: 'none',
        alone: true,
        says: 'Lists no commits, and counts them all.',
        deviation: sets('push', () => ({ commits: [] })),
      },
    ],
  },
  {
    row: 'EVT-TAGPUSH-20',
    factor: 'zeros',
    levels: [
      { name: 'forty', says: 'Writes forty zeros.' },
      {
        name: 'sixty-four',
        says: 'Writes as many zeros as SHA-256 has digits.',
        deviation: sets('tag_push', ({ before, after }) => ({
          before: /^0+$/.test(String(before)) ? zeros : before,
          after: /^0+$/.test(String(after)) ? zeros : after,
        })),
      },
    ],
  },
  {
    row: 'EVT-ISSUE-23',
    factor: 'states of issues',
    levels: [
      { name: 'opened', says: 'Calls an open issue opened.' },
      {
        name: 'closed',
        says: 'Tells of closed issues.',
        deviation: setsAttributes('issue', () => ({ state: 'closed', state_id: 2 })),
      },
      {
        name: 'of its own',
        says: 'Has states of its own.',
        deviation: setsAttributes('issue', () => ({ state: 'In triage', state_id: 4711 })),
      },
      {
        name: 'null',
        alone: true,
        says: 'Says null.',
        deviation: setsAttributes('issue', () => ({ state: null })),
      },
    ],
  },
  {
    row: 'EVT-MERGEREQUEST-28',
    factor: 'states of merge requests',
    levels: [
      { name: 'opened', says: 'Calls an open merge request opened.' },
      {
        name: 'merged',
        says: 'Tells of merged merge requests.',
        deviation: setsAttributes('merge_request', () => ({ state: 'merged', state_id: 3 })),
      },
      {
        name: 'of its own',
        says: 'Has states of its own.',
        deviation: setsAttributes('merge_request', () => ({ state: 'locked', state_id: -1 })),
      },
    ],
  },
  {
    row: 'EVT-MERGEREQUEST-50',
    factor: 'source, target and people of a merge request',
    levels: [
      { name: 'objects', says: 'Shows projects and users.' },
      {
        name: 'empty',
        says: 'Shows objects without members.',
        deviation: shows(
          { source: {}, target: {}, assignee: {} },
          { reviewers: [{}], changes: {} },
        ),
      },
      {
        name: 'names',
        says: 'Shows names and ids alone.',
        deviation: shows(
          { source: 'fork', target: 1842, assignee: 'zoe' },
          { reviewers: ['amina'], changes: ['title', 'draft'] },
        ),
      },
    ],
  },
  {
    row: 'EVT-BUILD-05',
    factor: 'states of builds',
    levels: [
      { name: 'as of jobs', says: 'Has the states of jobs, and created.' },
      {
        name: 'of its own',
        says: 'Has states of its own.',
        deviation: states((at) => ['manual', 'waiting_for_resource', 'preparing'][at % 3]),
      },
      { name: 'null', alone: true, says: 'Says null.', deviation: states(() => null) },
    ],
  },
  {
    row: 'EVT-JOB-28',
    factor: 'commit and repository of a job',
    levels: [
      { name: 'filled', says: 'Shows what pushes show.' },
      {
        name: 'empty',
        says: 'Shows objects without members.',
        deviation: sets('job', () => ({ commit: {}, repository: {} })),
      },
      {
        name: 'texts',
        says: 'Shows an id and a url.',
        deviation: sets('job', () => ({
          commit: '368737da',
          repository: 'git@git.example.com:a/b.git',
        })),
      },
      {
        name: 'null',
        alone: true,
        says: 'Says null.',
        deviation: sets('job', () => ({ commit: null, repository: null })),
      },
    ],
  },
  {
    row: 'EVT-RELEASE-26',
    factor: 'formats of archives',
    levels: [
      { name: 'two', says: 'Offers zip and tar.gz.' },
      {
        name: 'others',
        says: 'Offers tar.zst and tar alone.',
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
    row: 'EVT-RELEASE-28',
    factor: 'commit of a release',
    levels: [
      { name: 'filled', says: 'Shows what pushes show.' },
      {
        name: 'an id',
        says: 'Shows the id alone.',
        deviation: sets('release', () => ({ commit: { id: '368737da' } })),
      },
      { name: 'null', says: 'Says null.', deviation: sets('release', () => ({ commit: null })) },
    ],
  },
]
