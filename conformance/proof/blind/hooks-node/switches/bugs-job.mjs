// Bugs in job and deployment payloads.
import { epoch, iso, only, plain, violation as v } from './make.mjs'

const JOB = 'Job payload'
const FIELDS =
  'Job payload: object_kind (build), ref, tag (boolean), before_sha, sha, build_id, ...'
const STATUS = 'build_status values: pending, running, success, failed, canceled'
const TIME = 'Timestamps in job payloads have the form YYYY-MM-DD HH:MM:SS UTC'
const DEPLOY = 'Deployment payload'
const DFIELDS = 'Deployment payload: object_kind, status, status_changed_at, deployment_id, ...'
const DSTATUS = 'status values: created, running, success, failed, canceled'
const DTIME = 'Timestamps in deployment payloads have the form YYYY-MM-DD HH:MM:SS UTC'
const RUNNER = 'runner (id, description, runner_type, active, is_shared, tags)'
const ENV = 'environment (name, action, deployment_tier)'
const job = (name, does, breaks, change, actions) =>
  v(name, JOB, does, breaks, only('job', change, actions))
const dep = (name, does, breaks, change, actions) =>
  v(name, DEPLOY, does, breaks, only('deployment', change, actions))

export const jobBugs = [
  job('job-kind-is-job', 'object_kind is job', 'Job | Job Hook | build', (p) => {
    p.object_kind = 'job'
  }),
  job(
    'job-status-passed',
    'build_status of a success is passed',
    STATUS,
    (p) => {
      p.build_status = 'passed'
    },
    'success',
  ),
  job(
    'job-status-cancelled',
    'canceled is written cancelled',
    STATUS,
    (p) => {
      p.build_status = 'cancelled'
    },
    'canceled',
  ),
  job(
    'job-status-failed-is-error',
    'failed is written error',
    STATUS,
    (p) => {
      p.build_status = 'error'
    },
    'failed',
  ),
  job(
    'job-status-created-for-pending',
    'pending is written created',
    STATUS,
    (p) => {
      p.build_status = 'created'
    },
    'pending',
  ),
  job('job-status-named-status', 'build_status is called status', FIELDS, (p) => {
    p.status = p.build_status
    delete p.build_status
  }),
  job('job-tag-as-text', 'tag is text', 'tag (boolean)', (p) => {
    p.tag = String(p.tag)
  }),
  job('job-tag-missing-when-false', 'tag is missing when false', FIELDS, (p) => {
    if (!p.tag) delete p.tag
  }),
  job('job-created-in-iso', 'build_created_at is in ISO 8601', TIME, (p) => {
    p.build_created_at = iso(p.build_created_at)
  }),
  job(
    'job-started-in-iso-while-running',
    'build_started_at is in ISO 8601 while running',
    TIME,
    (p) => {
      p.build_started_at = iso(p.build_started_at)
    },
    'running',
  ),
  job('job-finished-as-number', 'build_finished_at is a number of milliseconds', TIME, (p) => {
    p.build_finished_at = p.build_finished_at && epoch(p.build_finished_at) * 1000
  }),
  job('job-finished-without-seconds', 'build_finished_at has no seconds', TIME, (p) => {
    p.build_finished_at = p.build_finished_at && p.build_finished_at.replace(/:\d\d UTC/, ' UTC')
  }),
  job('job-pipeline-id-missing', 'pipeline_id is missing', FIELDS, (p) => {
    delete p.pipeline_id
  }),
  job('job-allow-failure-missing', 'build_allow_failure is missing', FIELDS, (p) => {
    delete p.build_allow_failure
  }),
  job(
    'job-failure-reason-missing-unless-failed',
    'build_failure_reason is missing unless failed',
    FIELDS,
    (p) => {
      if (!p.build_failure_reason) delete p.build_failure_reason
    },
  ),
  job(
    'job-queued-duration-missing-when-pending',
    'build_queued_duration is missing for pending jobs',
    FIELDS,
    (p) => {
      delete p.build_queued_duration
    },
    'pending',
  ),
  job('job-stage-nested', 'stage and name stand in an object build', FIELDS, (p) => {
    p.build = { name: p.build_name, stage: p.build_stage }
    delete p.build_name
    delete p.build_stage
  }),
  job('job-runner-without-tags', 'runner has no tags', RUNNER, (p) => {
    delete p.runner.tags
  }),
  job('job-runner-without-type', 'runner has no runner_type', RUNNER, (p) => {
    delete p.runner.runner_type
  }),
  job(
    'job-runner-missing-when-pending',
    'runner is missing for pending jobs',
    FIELDS,
    (p) => {
      delete p.runner
    },
    'pending',
  ),
  job('job-environment-as-name', 'environment is a name', ENV, (p) => {
    p.environment = p.environment.name
  }),
  job('job-environment-without-tier', 'environment has no deployment_tier', ENV, (p) => {
    delete p.environment.deployment_tier
  }),
  job('job-user-as-id', 'user is called user_id', FIELDS, (p) => {
    p.user_id = p.user.id
    delete p.user
  }),
  job(
    'job-user-without-username',
    'user has no username',
    'User (object form): id, name, username, ...',
    (p) => {
      delete p.user.username
    },
  ),
  job(
    'job-commit-missing-when-canceled',
    'commit is missing for canceled jobs',
    FIELDS,
    (p) => {
      delete p.commit
    },
    'canceled',
  ),
  job('job-repository-missing', 'repository is missing', FIELDS, (p) => {
    delete p.repository
  }),
  job('job-project-name-missing', 'project_name is missing', FIELDS, (p) => {
    delete p.project_name
  }),
  job(
    'job-project-id-of-first',
    'project_id is the one of the first project',
    'project_id',
    (p, c) => {
      p.project_id = c.first.id
    },
  ),
  job(
    'job-commit-time-like-others',
    'timestamp of commit has the form YYYY-MM-DD HH:MM:SS UTC',
    'Timestamps in commit objects are ISO 8601',
    (p) => {
      p.commit.timestamp = plain(p.commit.timestamp)
    },
  ),

  dep('deployment-kind-is-deploy', 'object_kind is deploy', 'object_kind (deployment)', (p) => {
    p.object_kind = 'deploy'
  }),
  dep(
    'deployment-status-finished',
    'status of a success is finished',
    DSTATUS,
    (p) => {
      p.status = 'finished'
    },
    'success',
  ),
  dep(
    'deployment-status-cancelled',
    'canceled is written cancelled',
    DSTATUS,
    (p) => {
      p.status = 'cancelled'
    },
    'canceled',
  ),
  dep(
    'deployment-status-pending-for-created',
    'created is written pending',
    DSTATUS,
    (p) => {
      p.status = 'pending'
    },
    'created',
  ),
  dep(
    'deployment-failed-says-success',
    'status of a failure is success',
    'status values: failed',
    (p) => {
      p.status = 'success'
    },
    'failed',
  ),
  dep('deployment-status-as-object', 'status is an object', 'status values: created, ...', (p) => {
    p.status = { name: p.status }
  }),
  dep('deployment-changed-in-iso', 'status_changed_at is in ISO 8601', DTIME, (p) => {
    p.status_changed_at = iso(p.status_changed_at)
  }),
  dep('deployment-changed-with-offset', 'status_changed_at ends with +0000', DTIME, (p) => {
    p.status_changed_at = p.status_changed_at.replace('UTC', '+0000')
  }),
  dep(
    'deployment-changed-missing-when-created',
    'status_changed_at is missing for created ones',
    DFIELDS,
    (p) => {
      delete p.status_changed_at
    },
    'created',
  ),
  dep('deployment-id-named-id', 'deployment_id is called id', DFIELDS, (p) => {
    p.id = p.deployment_id
    delete p.deployment_id
  }),
  dep('deployment-deployable-url-missing', 'deployable_url is missing', DFIELDS, (p) => {
    delete p.deployable_url
  }),
  dep(
    'deployment-deployable-id-missing-on-failure',
    'deployable_id is missing for failures',
    DFIELDS,
    (p) => {
      delete p.deployable_id
    },
    'failed',
  ),
  dep('deployment-environment-tier-missing', 'environment_tier is missing', DFIELDS, (p) => {
    delete p.environment_tier
  }),
  dep('deployment-environment-nested', 'environment_slug stands in an object env', DFIELDS, (p) => {
    p.env = { slug: p.environment_slug }
    delete p.environment_slug
  }),
  dep(
    'deployment-external-url-missing',
    'environment_external_url is missing while running',
    DFIELDS,
    (p) => {
      delete p.environment_external_url
    },
    'running',
  ),
  dep('deployment-short-sha-missing', 'short_sha is missing', DFIELDS, (p) => {
    delete p.short_sha
  }),
  dep('deployment-user-url-missing', 'user_url is missing', DFIELDS, (p) => {
    delete p.user_url
  }),
  dep('deployment-commit-title-missing', 'commit_title is missing', DFIELDS, (p) => {
    delete p.commit_title
  }),
  dep(
    'deployment-user-id-as-text',
    'id of the user is text',
    'User (object form): id (integer)',
    (p) => {
      p.user.id = String(p.user.id)
    },
  ),
]
