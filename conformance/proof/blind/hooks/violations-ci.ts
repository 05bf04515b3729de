import { DEP, JOB, PIPE, REL, WIKI, iso, rename, shift, wrong } from './rewrite.ts'
import type { Rewrite } from './types.ts'

const P = 'Pipeline payload'
const PA = 'Pipeline payload › object_attributes'
const PB = 'Pipeline payload › builds'
const J = 'Job payload'
const D = 'Deployment payload'
const W = 'Wiki page payload'
const R = 'Release payload'
const T = 'Shared nested objects › Timestamps'

export const ciViolations: readonly Rewrite[] = [
  wrong('pipeline-tag-string', PIPE, PA, 'tag is a string.', (p) => {
    const a = p.object_attributes
    a.tag = a.tag ? a.ref : ''
  }),
  wrong('pipeline-sha-not-commit', PIPE, PA, 'sha differs from the id of the commit.', (p) => {
    p.object_attributes.sha = p.object_attributes.before_sha
  }),
  wrong('pipeline-before-sha-missing', PIPE, PA, 'before_sha is left out.', (p) => {
    delete p.object_attributes.before_sha
  }),
  wrong('pipeline-source-missing', PIPE, PA, 'source is left out.', (p) => {
    delete p.object_attributes.source
  }),
  wrong(
    'pipeline-status-passed',
    PIPE,
    `${P} › status values`,
    'A successful pipeline has the status passed.',
    (p) => {
      const a = p.object_attributes
      if (a.status === 'success') a.status = 'passed'
    },
  ),
  wrong(
    'pipeline-status-cancelled',
    PIPE,
    `${P} › status values`,
    'A canceled pipeline is spelled cancelled.',
    (p) => {
      const a = p.object_attributes
      if (a.status === 'canceled') a.status = 'cancelled'
    },
  ),
  wrong(
    'pipeline-status-stale',
    PIPE,
    `${P} › status values`,
    'A failed pipeline is still told as running.',
    (p) => {
      const a = p.object_attributes
      if (a.status === 'failed') a.status = 'running'
    },
  ),
  wrong(
    'pipeline-status-skipped-as-manual',
    PIPE,
    `${P} › status values`,
    'A skipped pipeline has the status manual.',
    (p) => {
      const a = p.object_attributes
      if (a.status === 'skipped') a.status = 'manual'
    },
  ),
  wrong('pipeline-detailed-missing', PIPE, PA, 'detailed_status is left out.', (p) => {
    delete p.object_attributes.detailed_status
  }),
  wrong('pipeline-stages-joined', PIPE, PA, 'stages is one string with commas.', (p) => {
    const a = p.object_attributes
    a.stages = a.stages.join(',')
  }),
  wrong('pipeline-stages-objects', PIPE, PA, 'stages holds objects with a name.', (p) => {
    const a = p.object_attributes
    a.stages = a.stages.map((name: string) => ({ name }))
  }),
  wrong(
    'pipeline-stages-incomplete',
    PIPE,
    PA,
    'stages lacks the last stage of the builds.',
    (p) => {
      p.object_attributes.stages.pop()
    },
  ),
  wrong('pipeline-created-iso', PIPE, T, 'created_at of pipelines is ISO 8601.', (p) => {
    const a = p.object_attributes
    a.created_at = iso(a.created_at)
  }),
  wrong('pipeline-finished-iso', PIPE, T, 'finished_at of pipelines is ISO 8601.', (p) => {
    const a = p.object_attributes
    a.finished_at = iso(a.finished_at)
  }),
  wrong(
    'pipeline-finished-before-created',
    PIPE,
    PA,
    'finished_at lies before created_at.',
    (p) => {
      const a = p.object_attributes
      if (a.finished_at) a.finished_at = shift(a.created_at, -60)
    },
  ),
  wrong('pipeline-duration-string', PIPE, PA, 'duration is a string with a unit.', (p) => {
    const a = p.object_attributes
    a.duration = `${a.duration}s`
  }),
  wrong('pipeline-duration-fraction', PIPE, PA, 'duration has a fraction.', (p) => {
    p.object_attributes.duration += 0.25
  }),
  wrong('pipeline-queued-null', PIPE, PA, 'queued_duration is null.', (p) => {
    p.object_attributes.queued_duration = null
  }),
  wrong('pipeline-variables-map', PIPE, PA, 'variables is a map.', (p) => {
    const a = p.object_attributes
    a.variables = Object.fromEntries(a.variables.map((v: any) => [v.key, v.value]))
  }),
  wrong('pipeline-variables-number', PIPE, PA, 'A numeric value of a variable is a number.', (p) =>
    p.object_attributes.variables.forEach((v: any) => {
      if (/^\d+$/.test(v.value)) v.value = Number(v.value)
    }),
  ),
  wrong(
    'pipeline-mr-missing-url',
    PIPE,
    `${P} › merge_request`,
    'merge_request has no url.',
    (p) => {
      delete p.merge_request.url
    },
  ),
  wrong(
    'pipeline-mr-target-id-string',
    PIPE,
    `${P} › merge_request`,
    'target_project_id is a string.',
    (p) => {
      p.merge_request.target_project_id = String(p.merge_request.target_project_id)
    },
  ),
  wrong('pipeline-mr-missing', PIPE, P, 'merge_request is left out altogether.', (p) => {
    delete p.merge_request
  }),
  wrong('pipeline-commit-time-utc-form', PIPE, T, 'The commit time is not ISO 8601.', (p) => {
    p.commit.timestamp = shift(p.commit.timestamp, 0)
  }),
  wrong('pipeline-commit-title-missing', PIPE, `${P} › commit`, 'commit has no title.', (p) => {
    delete p.commit.title
  }),
  wrong('pipeline-builds-missing', PIPE, P, 'builds is called jobs.', (p) =>
    rename(p, 'builds', 'jobs'),
  ),
  wrong('pipeline-builds-map', PIPE, P, 'builds is a map by stage.', (p) => {
    p.builds = Object.fromEntries(p.builds.map((b: any) => [b.stage, b]))
  }),
  wrong('builds-manual-missing', PIPE, PB, 'manual is left out.', (p) =>
    p.builds.forEach((b: any) => {
      delete b.manual
    }),
  ),
  wrong('builds-allow-failure-number', PIPE, PB, 'allow_failure is 0 or 1.', (p) =>
    p.builds.forEach((b: any) => {
      b.allow_failure = b.allow_failure ? 1 : 0
    }),
  ),
  wrong('builds-when-null', PIPE, PB, 'when is null.', (p) =>
    p.builds.forEach((b: any) => {
      b.when = null
    }),
  ),
  wrong('builds-environment-absent', PIPE, PB, 'environment is left out when there is none.', (p) =>
    p.builds.forEach((b: any) => {
      if (b.environment === null) delete b.environment
    }),
  ),
  wrong('builds-artifacts-size-missing', PIPE, PB, 'The size of artifacts is missing.', (p) =>
    p.builds.forEach((b: any) => {
      delete b.artifacts_file.size
    }),
  ),
  wrong('builds-artifacts-string', PIPE, PB, 'artifacts_file is a file name.', (p) =>
    p.builds.forEach((b: any) => {
      b.artifacts_file = b.artifacts_file.filename
    }),
  ),
  wrong('builds-runner-shared-word', PIPE, `${PB} › runner`, 'is_shared is a word.', (p) =>
    p.builds.forEach((b: any) => {
      b.runner.is_shared = b.runner.is_shared ? 'yes' : 'no'
    }),
  ),
  wrong('builds-runner-tags-joined', PIPE, `${PB} › runner`, 'tags is one string.', (p) =>
    p.builds.forEach((b: any) => {
      b.runner.tags = b.runner.tags.join(' ')
    }),
  ),
  wrong(
    'builds-runner-active-missing',
    PIPE,
    `${PB} › runner`,
    'active is left out of shared runners.',
    (p) =>
      p.builds.forEach((b: any) => {
        if (b.runner.is_shared) delete b.runner.active
      }),
  ),
  wrong('builds-created-iso-on-last', PIPE, T, 'created_at of the last build is ISO 8601.', (p) => {
    const b = p.builds.at(-1)
    b.created_at = iso(b.created_at)
  }),
  wrong('builds-user-missing', PIPE, PB, 'Builds have no user.', (p) =>
    p.builds.forEach((b: any) => {
      delete b.user
    }),
  ),
  wrong('builds-ids-repeat', PIPE, PB, 'All builds have the same id.', (p) =>
    p.builds.forEach((b: any) => {
      b.id = p.builds[0].id
    }),
  ),
  wrong('builds-stage-unknown', PIPE, PB, 'The stage of the first build is not in stages.', (p) => {
    p.builds[0].stage = 'pre'
  }),

  wrong('job-kind-job', JOB, J, 'object_kind of a job is job.', (p) => {
    p.object_kind = 'job'
  }),
  wrong('job-fields-unprefixed', JOB, J, 'build_status is called status.', (p) =>
    rename(p, 'build_status', 'status'),
  ),
  wrong('job-id-missing', JOB, J, 'build_id is called job_id.', (p) =>
    rename(p, 'build_id', 'job_id'),
  ),
  wrong(
    'job-status-cancelled',
    JOB,
    `${J} › build_status values`,
    'A canceled job is spelled cancelled.',
    (p) => {
      if (p.build_status === 'canceled') p.build_status = 'cancelled'
    },
  ),
  wrong(
    'job-status-created',
    JOB,
    `${J} › build_status values`,
    'A pending job has the status created.',
    (p) => {
      if (p.build_status === 'pending') p.build_status = 'created'
    },
  ),
  wrong(
    'job-status-failed-told-success',
    JOB,
    `${J} › build_status values`,
    'A failed job is told as a success.',
    (p) => {
      if (p.build_status === 'failed') p.build_status = 'success'
    },
  ),
  wrong('job-tag-null-when-false', JOB, J, 'tag is null when it is false.', (p) => {
    if (!p.tag) p.tag = null
  }),
  wrong('job-sha-missing', JOB, J, 'sha is left out.', (p) => {
    delete p.sha
  }),
  wrong('job-before-sha-missing', JOB, J, 'before_sha is left out.', (p) => {
    delete p.before_sha
  }),
  wrong('job-created-iso', JOB, T, 'build_created_at is ISO 8601.', (p) => {
    p.build_created_at = iso(p.build_created_at)
  }),
  wrong('job-started-iso', JOB, T, 'build_started_at is ISO 8601.', (p) => {
    p.build_started_at = iso(p.build_started_at)
  }),
  wrong('job-finished-iso', JOB, T, 'build_finished_at is ISO 8601.', (p) => {
    p.build_finished_at = iso(p.build_finished_at)
  }),
  wrong('job-finished-before-started', JOB, J, 'A job finished before it started.', (p) => {
    if (p.build_finished_at) p.build_finished_at = shift(p.build_started_at, -5)
  }),
  wrong('job-queued-missing', JOB, J, 'build_queued_duration is left out.', (p) => {
    delete p.build_queued_duration
  }),
  wrong(
    'job-allow-failure-missing',
    JOB,
    J,
    'build_allow_failure is left out when it is false.',
    (p) => {
      if (!p.build_allow_failure) delete p.build_allow_failure
    },
  ),
  wrong(
    'job-failure-reason-missing',
    JOB,
    J,
    'build_failure_reason is left out of failed jobs.',
    (p) => {
      if (p.build_status === 'failed') delete p.build_failure_reason
    },
  ),
  wrong('job-pipeline-id-missing', JOB, J, 'pipeline_id is left out.', (p) => {
    delete p.pipeline_id
  }),
  wrong('job-runner-tags-missing', JOB, J, 'runner has no tags.', (p) => {
    delete p.runner.tags
  }),
  wrong('job-runner-name', JOB, J, 'runner is only a description.', (p) => {
    p.runner = p.runner.description
  }),
  wrong('job-project-id-other', JOB, J, 'project_id names the other project.', (p, m) => {
    p.project_id = m.other.id
  }),
  wrong('job-project-name-missing', JOB, J, 'project_name is left out.', (p) => {
    delete p.project_name
  }),
  wrong('job-commit-missing', JOB, J, 'commit is left out.', (p) => {
    delete p.commit
  }),
  wrong('job-repository-missing', JOB, J, 'repository is left out.', (p) => {
    delete p.repository
  }),
  wrong('job-environment-string', JOB, J, 'environment is only a name.', (p) => {
    p.environment = p.environment.name
  }),
  wrong('job-environment-tier-missing', JOB, J, 'environment has no deployment_tier.', (p) => {
    delete p.environment.deployment_tier
  }),

  wrong('deployment-kind-plural', DEP, D, 'object_kind is deployments.', (p) => {
    p.object_kind = 'deployments'
  }),
  wrong(
    'deployment-status-finished',
    DEP,
    `${D} › status values`,
    'A successful deployment has the status finished.',
    (p) => {
      if (p.status === 'success') p.status = 'finished'
    },
  ),
  wrong(
    'deployment-status-pending',
    DEP,
    `${D} › status values`,
    'A created deployment has the status pending.',
    (p) => {
      if (p.status === 'created') p.status = 'pending'
    },
  ),
  wrong(
    'deployment-status-cancelled',
    DEP,
    `${D} › status values`,
    'A canceled deployment is spelled cancelled.',
    (p) => {
      if (p.status === 'canceled') p.status = 'cancelled'
    },
  ),
  wrong('deployment-time-iso', DEP, T, 'status_changed_at is ISO 8601.', (p) => {
    p.status_changed_at = iso(p.status_changed_at)
  }),
  wrong('deployment-time-offset', DEP, T, 'status_changed_at ends in +0000.', (p) => {
    p.status_changed_at = p.status_changed_at.replace('UTC', '+0000')
  }),
  wrong('deployment-id-missing', DEP, D, 'deployment_id is called id.', (p) =>
    rename(p, 'deployment_id', 'id'),
  ),
  wrong('deployment-deployable-url-missing', DEP, D, 'deployable_url is left out.', (p) => {
    delete p.deployable_url
  }),
  wrong(
    'deployment-short-sha-unrelated',
    DEP,
    D,
    'short_sha is not the start of the commit.',
    (p) => {
      p.short_sha = p.short_sha.split('').reverse().join('') + '0'
    },
  ),
  wrong('deployment-tier-missing', DEP, D, 'environment_tier is left out.', (p) => {
    delete p.environment_tier
  }),
  wrong('deployment-slug-missing', DEP, D, 'environment_slug is left out.', (p) => {
    delete p.environment_slug
  }),
  wrong('deployment-user-url-missing', DEP, D, 'user_url is left out.', (p) => {
    delete p.user_url
  }),
  wrong(
    'deployment-commit-nested',
    DEP,
    D,
    'commit_url and commit_title are nested in commit.',
    (p) => {
      p.commit = { url: p.commit_url, title: p.commit_title }
      delete p.commit_url
      delete p.commit_title
    },
  ),

  wrong('wiki-kind-wiki', WIKI, W, 'object_kind is wiki.', (p) => {
    p.object_kind = 'wiki'
  }),
  wrong('wiki-missing', WIKI, W, 'wiki is left out.', (p) => {
    delete p.wiki
  }),
  wrong('wiki-default-branch-missing', WIKI, W, 'default_branch of the wiki is left out.', (p) => {
    delete p.wiki.default_branch
  }),
  wrong('wiki-path-missing', WIKI, W, 'path_with_namespace of the wiki is left out.', (p) => {
    delete p.wiki.path_with_namespace
  }),
  wrong('wiki-content-missing-on-update', WIKI, W, 'content is left out of updates.', (p, m) => {
    if (m.action === 'update') delete p.object_attributes.content
  }),
  wrong('wiki-format-missing', WIKI, W, 'format is left out.', (p) => {
    delete p.object_attributes.format
  }),
  wrong('wiki-message-missing', WIKI, W, 'message is left out.', (p) => {
    delete p.object_attributes.message
  }),
  wrong(
    'wiki-action-deleted',
    WIKI,
    `${W} › action values`,
    'action is destroy for delete.',
    (p, m) => {
      if (m.action === 'delete') p.object_attributes.action = 'destroy'
    },
  ),
  wrong(
    'wiki-action-update-as-create',
    WIKI,
    `${W} › action values`,
    'Updates of a page are told as creations.',
    (p, m) => {
      if (m.action === 'update') p.object_attributes.action = 'create'
    },
  ),
  wrong(
    'wiki-action-open',
    WIKI,
    `${W} › action values`,
    'action of a new page is open.',
    (p, m) => {
      if (m.action === 'create') p.object_attributes.action = 'open'
    },
  ),

  wrong('release-id-missing', REL, R, 'id of a release is left out.', (p) => {
    delete p.id
  }),
  wrong('release-released-at-missing', REL, R, 'released_at is left out.', (p) => {
    delete p.released_at
  }),
  wrong('release-released-at-date', REL, T, 'released_at is a date without a time.', (p) => {
    p.released_at = p.released_at.slice(0, 10)
  }),
  wrong('release-kind-missing', REL, R, 'object_kind is left out.', (p) => {
    delete p.object_kind
  }),
  wrong('release-action-nested', REL, R, 'action stands in an object_attributes.', (p) => {
    p.object_attributes = { action: p.action }
    delete p.action
  }),
  wrong(
    'release-action-deleted',
    REL,
    `${R} › action values`,
    'action is deleted for delete.',
    (p) => {
      if (p.action === 'delete') p.action = 'deleted'
    },
  ),
  wrong(
    'release-action-publish',
    REL,
    `${R} › action values`,
    'action of a new release is publish.',
    (p) => {
      if (p.action === 'create') p.action = 'publish'
    },
  ),
  wrong(
    'release-action-update-as-create',
    REL,
    `${R} › action values`,
    'Updates of a release are told as creations.',
    (p) => {
      if (p.action === 'update') p.action = 'create'
    },
  ),
  wrong('release-count-links-only', REL, `${R} › assets`, 'count leaves out the sources.', (p) => {
    p.assets.count = p.assets.links.length
  }),
  wrong('release-count-string', REL, `${R} › assets`, 'count is a string.', (p) => {
    p.assets.count = String(p.assets.count)
  }),
  wrong('release-links-strings', REL, `${R} › assets`, 'links is a list of addresses.', (p) => {
    p.assets.links = p.assets.links.map((l: any) => l.url)
  }),
  wrong('release-link-external-string', REL, `${R} › assets`, 'external is a string.', (p) =>
    p.assets.links.forEach((l: any) => {
      l.external = 'true'
    }),
  ),
  wrong('release-link-type-missing', REL, `${R} › assets`, 'link_type is left out.', (p) =>
    p.assets.links.forEach((l: any) => {
      delete l.link_type
    }),
  ),
  wrong(
    'release-sources-map',
    REL,
    `${R} › assets`,
    'sources is a map from format to url.',
    (p) => {
      p.assets.sources = Object.fromEntries(p.assets.sources.map((s: any) => [s.format, s.url]))
    },
  ),
  wrong('release-sources-url-missing', REL, `${R} › assets`, 'Sources have no url.', (p) =>
    p.assets.sources.forEach((s: any) => {
      delete s.url
    }),
  ),
  wrong('release-commit-missing', REL, R, 'commit is left out.', (p) => {
    delete p.commit
  }),
  wrong('release-commit-time-utc-form', REL, T, 'The commit time is not ISO 8601.', (p) => {
    p.commit.timestamp = shift(p.commit.timestamp, 0)
  }),
  wrong('release-url-missing', REL, R, 'url is left out.', (p) => {
    delete p.url
  }),
]
