// Bugs in tag push payloads and in the shared objects.
import { only, violation as v } from './make.mjs'

const TAG = 'Tag push payload'
const SHARED = 'Shared nested objects'
const PROJECT = 'Project: id (integer), name, description, web_url, avatar_url (nullable), ...'
const ZERO_B = 'before is all zeros when the tag is created'
const ZERO_A = 'after is all zeros when the tag is deleted'
const BOTH = 'object_kind, event_name (both tag_push)'
const kinds = [
  'issue',
  'confidential',
  'merge',
  'pipeline',
  'deployment',
  'wiki',
  'release',
  'push',
  'tag',
]
const tag = (name, does, breaks, change, actions) =>
  v(name, TAG, does, breaks, only('tag', change, actions))
const shared = (name, does, breaks, events, change) =>
  v(name, SHARED, does, breaks, only(events, change))
let firstProject = null

export const tagBugs = [
  tag('tag-kind-is-push', 'object_kind is push', BOTH, (p) => {
    p.object_kind = 'push'
  }),
  tag('tag-event-name-is-push', 'event_name is push', BOTH, (p) => {
    p.event_name = 'push'
  }),
  tag(
    'tag-deletion-event-name-differs',
    'event_name of a deletion is tag_delete',
    BOTH,
    (p) => {
      p.event_name = 'tag_delete'
    },
    'delete',
  ),
  tag(
    'tag-created-before-null',
    'before of a new tag is null',
    ZERO_B,
    (p) => {
      p.before = null
    },
    'create',
  ),
  tag(
    'tag-created-before-is-commit',
    'before of a new tag is the previous head',
    ZERO_B,
    (p, c) => {
      p.before = c.project.previousHead
    },
    'create',
  ),
  tag(
    'tag-created-zeros-in-after',
    'the zeros of a new tag stand in after',
    ZERO_B,
    (p) => {
      ;[p.before, p.after] = [p.after, p.before]
    },
    'create',
  ),
  tag(
    'tag-recreated-before-is-old',
    'before of a tag made after a deletion is the id of the deleted one',
    ZERO_B,
    (p, c) => {
      if (c.project.deletedTag) p.before = c.project.deletedTag.tip
    },
    'create',
  ),
  tag(
    'tag-deleted-after-null',
    'after of a deleted tag is null',
    ZERO_A,
    (p) => {
      p.after = null
    },
    'delete',
  ),
  tag(
    'tag-deleted-after-is-commit',
    'after of a deleted tag is its commit',
    ZERO_A,
    (p) => {
      p.after = p.before
    },
    'delete',
  ),
  tag(
    'tag-deleted-after-empty',
    'after of a deleted tag is empty',
    ZERO_A,
    (p) => {
      p.after = ''
    },
    'delete',
  ),
  tag(
    'tag-repository-missing-on-deletion',
    'repository is missing for a deleted tag',
    'Tag push payload: repository',
    (p) => {
      delete p.repository
    },
    'delete',
  ),
  tag(
    'tag-commits-null-on-deletion',
    'commits of a deleted tag is null',
    'commits (array of Commit)',
    (p) => {
      p.commits = null
    },
    'delete',
  ),
  tag('tag-user-avatar-missing', 'user_avatar is missing', 'Tag push payload: user_avatar', (p) => {
    delete p.user_avatar
  }),
  tag(
    'tag-total-missing',
    'total_commits_count is missing',
    'Tag push payload: total_commits_count',
    (p) => {
      delete p.total_commits_count
    },
  ),
  tag(
    'tag-project-id-null',
    'project_id of a deleted tag is null',
    'project_id (integer)',
    (p) => {
      p.project_id = null
    },
    'delete',
  ),

  shared(
    'visibility-in-words',
    'visibility_level is private, internal or public',
    'visibility_level (integer)',
    kinds,
    (p) => {
      p.project.visibility_level = 'private'
    },
  ),
  shared(
    'project-id-as-text-in-releases',
    'project id in releases is text',
    'Project: id (integer)',
    'release',
    (p) => {
      p.project.id = String(p.project.id)
    },
  ),
  shared(
    'namespace-as-object',
    'namespace of a project is an object',
    'Project: namespace (all strings)',
    kinds,
    (p) => {
      p.project.namespace = { name: p.project.namespace }
    },
  ),
  shared(
    'default-branch-missing-in-wiki',
    'default_branch of the project is missing in wiki events',
    PROJECT,
    'wiki',
    (p) => {
      delete p.project.default_branch
    },
  ),
  shared(
    'project-avatar-false',
    'avatar_url of a project without an avatar is false',
    'avatar_url (nullable)',
    kinds,
    (p) => {
      if (p.project.avatar_url === null) p.project.avatar_url = false
    },
  ),
  shared(
    'project-avatar-missing-when-null',
    'avatar_url of a project without an avatar is missing',
    PROJECT,
    kinds,
    (p) => {
      if (p.project.avatar_url === null) delete p.project.avatar_url
    },
  ),
  shared(
    'git-ssh-url-missing-in-deployments',
    'git_ssh_url is missing in deployments',
    PROJECT,
    'deployment',
    (p) => {
      delete p.project.git_ssh_url
    },
  ),
  shared(
    'project-description-null',
    'description of the second project is null',
    'Project: description (all strings)',
    kinds,
    (p, c) => {
      if (c.project === c.second) p.project.description = null
    },
  ),
  shared(
    'path-with-namespace-missing-in-issues',
    'path_with_namespace is missing in issue events',
    PROJECT,
    'issue',
    (p) => {
      delete p.project.path_with_namespace
    },
  ),
  shared(
    'project-of-first-event',
    'project is the one of the first event of the process',
    'project of the event',
    kinds,
    (p) => {
      firstProject ||= p.project
      p.project = firstProject
    },
  ),
]
