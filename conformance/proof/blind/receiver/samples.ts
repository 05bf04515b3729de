import type { Doc } from './types.ts'

const at = '2026-11-20 09:14:05 UTC'
const sha = (c: string) => c.repeat(40)
const user = {
  id: 31,
  name: 'Ada Byron',
  username: 'ada',
  avatar_url: 'https://g.example/u/31.png',
  email: 'ada@g.example',
}
const person = { id: 31, name: 'Ada Byron', username: 'ada', avatar_url: user.avatar_url }
const project: Doc = {
  id: 812,
  name: 'Loom',
  description: 'Weaves',
  web_url: 'https://g.example/mill/loom',
  avatar_url: 'https://g.example/p/812.png',
  git_ssh_url: 'git@g.example:mill/loom.git',
  git_http_url: 'https://g.example/mill/loom.git',
  namespace: 'Mill',
  visibility_level: 20,
  path_with_namespace: 'mill/loom',
  default_branch: 'main',
}
const repository = {
  name: 'Loom',
  url: project['git_ssh_url'],
  description: 'Weaves',
  homepage: project['web_url'],
}
const brief = (c: string): Doc => ({
  id: sha(c),
  message: 'Weave\n',
  title: 'Weave',
  timestamp: '2026-11-20T09:00:00+01:00',
  url: `https://g.example/mill/loom/-/commit/${sha(c)}`,
  author: { name: 'Ada Byron', email: 'ada@g.example' },
})
const commit = (c: string): Doc => ({ ...brief(c), added: ['a'], modified: [], removed: [] })
const label = {
  id: 5,
  title: 'bug',
  color: '#ff0000',
  project_id: 812,
  created_at: at,
  updated_at: at,
}

export const push = (more: Doc = {}): Doc => ({
  object_kind: 'push',
  event_name: 'push',
  before: sha('a'),
  after: sha('b'),
  ref: 'refs/heads/main',
  checkout_sha: sha('b'),
  user_id: 31,
  user_name: 'Ada Byron',
  user_username: 'ada',
  user_email: 'ada@g.example',
  user_avatar: user.avatar_url,
  project_id: 812,
  project,
  commits: [commit('b')],
  total_commits_count: 1,
  repository,
  ...more,
})

export const tagPush = (gone: boolean): Doc => ({
  ...push(),
  object_kind: 'tag_push',
  event_name: 'tag_push',
  ref: 'refs/tags/v1',
  before: sha(gone ? 'b' : '0'),
  after: sha(gone ? '0' : 'b'),
  ...(gone ? { commits: [], total_commits_count: 0, checkout_sha: null } : {}),
})

const ticket = (action: string): Doc => ({
  id: 77,
  iid: 3,
  title: 'Knots',
  assignee_ids: [31],
  assignee_id: 31,
  author_id: 31,
  project_id: 812,
  created_at: at,
  updated_at: at,
  position: 0,
  branch_name: 'knots',
  description: '',
  milestone_id: 2,
  state: 'opened',
  state_id: 1,
  action,
  labels: [label],
  url: 'https://g.example/mill/loom/-/issues/3',
})

export const issue = (action = 'open', attributes: Doc = {}, more: Doc = {}): Doc => ({
  object_kind: 'issue',
  event_type: 'issue',
  user,
  project,
  object_attributes: { ...ticket(action), ...attributes },
  assignees: [person],
  labels: [label],
  changes: { title: { previous: 'Knot', current: 'Knots' } },
  ...more,
})

export const mergeRequest = (action = 'open', attributes: Doc = {}, more: Doc = {}): Doc => ({
  ...issue(),
  object_kind: 'merge_request',
  event_type: 'merge_request',
  object_attributes: {
    ...ticket(action),
    target_branch: 'main',
    source_branch: 'knots',
    source_project_id: 812,
    target_project_id: 812,
    reviewer_ids: [31],
    merge_status: 'can_be_merged',
    source: project,
    target: project,
    last_commit: brief('c'),
    work_in_progress: false,
    draft: false,
    assignee: person,
    ...attributes,
  },
  reviewers: [person],
  ...more,
})

const runner = {
  id: 4,
  description: 'r',
  active: true,
  runner_type: 'instance_type',
  is_shared: true,
  tags: [],
}

export const pipeline = (status = 'success', environment: unknown = undefined): Doc => ({
  object_kind: 'pipeline',
  object_attributes: {
    id: 9,
    ref: 'main',
    tag: false,
    sha: sha('b'),
    before_sha: sha('a'),
    source: 'push',
    status,
    detailed_status: status,
    stages: ['test'],
    created_at: at,
    finished_at: at,
    duration: 3,
    queued_duration: 1,
    variables: [{ key: 'A', value: '1' }],
  },
  merge_request: null,
  user,
  project,
  commit: brief('b'),
  builds:
    environment === undefined
      ? []
      : ['unit', 'lint', 'docs'].map((name, i) => ({
          id: 90 + i,
          stage: 'test',
          name,
          status,
          created_at: at,
          started_at: at,
          finished_at: at,
          duration: 2,
          queued_duration: 1,
          when: 'on_success',
          manual: false,
          allow_failure: false,
          user,
          runner,
          artifacts_file: { filename: 'a.zip', size: 10 },
          environment,
        })),
})

export const job = (status = 'success'): Doc => ({
  object_kind: 'build',
  ref: 'main',
  tag: false,
  before_sha: sha('a'),
  sha: sha('b'),
  build_id: 90,
  build_name: 'unit',
  build_stage: 'test',
  build_status: status,
  build_created_at: at,
  build_started_at: at,
  build_finished_at: at,
  build_duration: 2.5,
  build_queued_duration: 1,
  build_allow_failure: false,
  build_failure_reason: 'unknown_failure',
  pipeline_id: 9,
  runner,
  project_id: 812,
  project_name: 'Mill / Loom',
  user,
  commit: brief('b'),
  repository,
  environment: { name: 'staging', action: 'start', deployment_tier: 'staging' },
})

export const deployment = (status = 'success'): Doc => ({
  object_kind: 'deployment',
  status,
  status_changed_at: at,
  deployment_id: 6,
  deployable_id: 90,
  deployable_url: 'https://g.example/mill/loom/-/jobs/90',
  environment: 'staging',
  environment_tier: 'staging',
  environment_slug: 'staging',
  environment_external_url: 'https://staging.example',
  project,
  short_sha: sha('b').slice(0, 8),
  user,
  user_url: 'https://g.example/ada',
  commit_url: brief('b')['url'],
  commit_title: 'Weave',
})

export const wikiPage = (action = 'create'): Doc => ({
  object_kind: 'wiki_page',
  user,
  project,
  wiki: {
    web_url: 'https://g.example/mill/loom/-/wikis/home',
    git_ssh_url: 'git@g.example:w.git',
    git_http_url: 'https://g.example/w.git',
    path_with_namespace: 'mill/loom.wiki',
    default_branch: 'main',
  },
  object_attributes: {
    title: 'Home',
    content: '# Home',
    format: 'markdown',
    message: 'm',
    slug: 'home',
    url: 'https://g.example/mill/loom/-/wikis/home',
    action,
  },
})

export const release = (action = 'create', links = 1): Doc => ({
  id: 12,
  created_at: at,
  description: 'd',
  name: 'v1',
  released_at: at,
  tag: 'v1',
  object_kind: 'release',
  project,
  url: 'https://g.example/mill/loom/-/releases/v1',
  action,
  assets: {
    count: 2 + links,
    links: Array.from({ length: links }, (_, id) => ({
      id,
      external: true,
      link_type: 'other',
      name: 'l',
      url: 'https://g.example/l',
    })),
    sources: ['zip', 'tar.gz'].map((format) => ({ format, url: 'https://g.example/s.' + format })),
  },
  commit: brief('b'),
})

export { commit, project }
