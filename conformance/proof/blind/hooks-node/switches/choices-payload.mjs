// What payloads may hold otherwise.
import { choice } from './make.mjs'

const PUSH = 'Push payload'
const TAG = 'Tag push payload'
const ISSUE = 'Issue payload'
const MERGE = 'Merge request payload'
const PIPE = 'Pipeline payload'
const JOB = 'Job payload'
const DEPLOY = 'Deployment payload'
const SHARED = 'Shared nested objects'

export const choicesPayload = [
  choice('further-fields-in-payloads', SHARED, 'payloads and their objects have further fields', {
    payload(p) {
      p.schema_revision = 3
      if (p.project)
        Object.assign(p.project, { ci_config_path: '', homepage: p.project.web_url, ssh_url: 'x' })
      if (p.object_attributes)
        Object.assign(p.object_attributes, { weight: null, time_estimate: 0, system: false })
      if (p.user) p.user.state = 'active'
      for (const commit of p.commits || []) commit.trailers = {}
    },
  }),
  choice('sha256-commit-ids', PUSH, 'commit ids have 64 hexadecimal digits, and so do the zeros'),
  choice('commit-times-with-offset', SHARED, 'commit timestamps have the offset +02:00'),
  choice('commit-times-with-fraction', SHARED, 'commit timestamps have milliseconds and Z'),
  choice(
    'commit-times-basic-format',
    SHARED,
    'commit timestamps have the ISO 8601 basic format, 20240506T070809Z',
  ),
  choice('emails-redacted', SHARED, 'emails of users are [REDACTED]'),
  choice('avatars-as-paths', SHARED, 'avatar_url of users is a path'),
  choice('project-avatar-null', SHARED, 'avatar_url of all projects is null'),
  choice('projects-public', SHARED, 'visibility_level is 20'),
  choice('default-branch-is-master', SHARED, 'the default branch of the first project is master'),
  choice('push-of-one-commit', PUSH, 'a push has one commit'),
  choice(
    'large-push-lists-20-commits',
    PUSH,
    'a push has 25 commits, of which the newest 20 are listed',
  ),
  choice('branch-created-without-commits', PUSH, 'the creation of a branch lists no commits'),
  choice(
    'tags-annotated',
    TAG,
    'after is the id of a tag object, checkout_sha the id of the commit',
  ),
  choice('tag-push-lists-no-commits', TAG, 'commits is empty and total_commits_count 0'),
  choice('tag-push-with-username-and-email', TAG, 'tag push has user_username and user_email too'),
  choice('changes-empty-on-open', ISSUE, 'changes is empty for an opened issue or merge request'),
  choice('changes-name-the-state', ISSUE, 'changes has state besides state_id'),
  choice(
    'issues-without-assignees',
    ISSUE,
    'issues have no assignees: empty arrays and a null assignee_id',
  ),
  choice('no-labels', ISSUE, 'issues and merge requests have no labels'),
  choice('milestones-null', ISSUE, 'milestone_id is null'),
  choice('issue-branch-name-set', ISSUE, 'branch_name is a string'),
  choice(
    'descriptions-empty',
    ISSUE,
    'descriptions of issues, merge requests and releases are empty',
  ),
  choice('merge-requests-without-assignee', MERGE, 'merge requests have no assignee'),
  choice('merge-requests-without-reviewers', MERGE, 'merge requests have no reviewers'),
  choice('merge-requests-are-drafts', MERGE, 'draft and work_in_progress are true'),
  choice('merge-requests-from-a-fork', MERGE, 'the source project is another one'),
  choice('last-commit-with-title', MERGE, 'last_commit has a title too'),
  choice('pipelines-of-tags', PIPE, 'pipelines and jobs run for a tag'),
  choice('pipelines-of-merge-requests', PIPE, 'source is merge_request_event'),
  choice('detailed-status-in-words', PIPE, 'detailed_status is "passed" for success'),
  choice('pipelines-without-variables', PIPE, 'variables is empty'),
  choice('pipelines-without-builds', PIPE, 'builds is empty'),
  choice('runners-of-the-project', PIPE, 'runners are not shared, runner_type is project_type'),
  choice('runners-without-tags', PIPE, 'tags of runners is empty'),
  choice('no-artifacts', PIPE, 'filename and size of all artifacts files are null'),
  choice('builds-without-environment', PIPE, 'environment of all builds is null'),
  choice(
    'job-durations-with-fractions',
    JOB,
    'build_duration and build_queued_duration have fractions',
  ),
  choice(
    'failure-reason-always-given',
    JOB,
    'build_failure_reason is unknown_failure where nothing failed',
  ),
  choice('job-project-name-with-path', JOB, 'project_name has the namespace before it'),
  choice('deployments-to-staging', DEPLOY, 'the environment is staging/eu with a different slug'),
  choice('environment-url-null', DEPLOY, 'environment_external_url is null'),
  choice('short-sha-of-ten', DEPLOY, 'short_sha has ten digits'),
  choice('wiki-in-asciidoc', 'Wiki page payload', 'format is asciidoc'),
  choice('wiki-message-default', 'Wiki page payload', 'message is a default one with the slug'),
  choice('releases-without-links', 'Release payload', 'links is empty'),
  choice('releases-with-four-sources', 'Release payload', 'sources has tar.bz2 and tar too'),
  choice('releases-dated-earlier', 'Release payload', 'released_at is a month before created_at'),
]
