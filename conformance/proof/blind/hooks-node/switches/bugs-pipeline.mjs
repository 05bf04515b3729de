// Bugs in pipeline payloads.
import { epoch, iso, only, plain, violation as v } from './make.mjs'

const WHERE = 'Pipeline payload'
const TOP =
  'Top level: object_kind (pipeline), object_attributes, merge_request, user, project, commit, builds'
const ATTRS =
  'Pipeline payload: object_attributes: id, ref, tag, sha, before_sha, source, status, ...'
const TIME = 'Timestamps in pipeline payloads have the form YYYY-MM-DD HH:MM:SS UTC'
const STATUS = 'status values: pending, running, success, failed, canceled, skipped'
const BUILDS =
  'builds: array of id, stage, name, status, created_at, started_at, finished_at, duration, ...'
const RUNNER =
  'runner: id, description, active (boolean), runner_type, is_shared (boolean), tags (array of string)'
const VARS = 'variables (array of key and value strings)'
const pipe = (name, does, breaks, change, actions) =>
  v(name, WHERE, does, breaks, only('pipeline', change, actions))
const attr = (name, does, breaks, change, actions) =>
  pipe(
    name,
    does,
    breaks,
    (p) => {
      change(p.object_attributes, p)
    },
    actions,
  )
const build = (name, does, breaks, change) =>
  pipe(name, does, breaks, (p) => {
    p.builds.forEach(change)
  })

export const pipelineBugs = [
  pipe('pipeline-kind-in-plural', 'object_kind is pipelines', TOP, (p) => {
    p.object_kind = 'pipelines'
  }),
  attr(
    'pipeline-status-passed',
    'status of a success is passed',
    STATUS,
    (a) => {
      a.status = 'passed'
    },
    'success',
  ),
  attr(
    'pipeline-status-cancelled',
    'canceled is written cancelled',
    STATUS,
    (a) => {
      a.status = 'cancelled'
    },
    'canceled',
  ),
  attr(
    'pipeline-status-stale',
    'the status of running is still pending',
    'pipeline status changes: status running',
    (a) => {
      a.status = 'pending'
    },
    'running',
  ),
  attr(
    'pipeline-status-skipped-is-success',
    'status of a skipped pipeline is success',
    'status values: skipped',
    (a) => {
      a.status = 'success'
    },
    'skipped',
  ),
  attr(
    'pipeline-status-in-capitals',
    'status of failures is FAILED',
    STATUS,
    (a) => {
      a.status = 'FAILED'
    },
    'failed',
  ),
  attr('pipeline-tag-as-text', 'tag is text', 'tag (boolean)', (a) => {
    a.tag = String(a.tag)
  }),
  attr('pipeline-tag-null', 'tag is null for branches', 'tag (boolean)', (a) => {
    a.tag = a.tag || null
  }),
  attr('pipeline-stages-as-text', 'stages is text', 'stages (array of string)', (a) => {
    a.stages = a.stages.join(',')
  }),
  attr('pipeline-stages-as-objects', 'stages are objects', 'stages (array of string)', (a) => {
    a.stages = a.stages.map((name) => ({ name }))
  }),
  attr('pipeline-duration-as-text', 'duration is text', 'duration (integer)', (a) => {
    a.duration = `${a.duration}s`
  }),
  attr('pipeline-duration-with-fraction', 'duration has a fraction', 'duration (integer)', (a) => {
    a.duration += 0.5
  }),
  attr(
    'pipeline-duration-null-while-running',
    'duration is null while running',
    'duration (integer)',
    (a) => {
      a.duration = null
    },
    ['running', 'pending'],
  ),
  attr(
    'pipeline-queued-duration-with-fraction',
    'queued_duration has a fraction',
    'queued_duration (integer)',
    (a) => {
      a.queued_duration += 0.25
    },
  ),
  attr('pipeline-queued-duration-missing', 'queued_duration is missing', ATTRS, (a) => {
    delete a.queued_duration
  }),
  attr('pipeline-variables-as-map', 'variables is a map', VARS, (a) => {
    a.variables = Object.fromEntries(a.variables.map((x) => [x.key, x.value]))
  }),
  attr('pipeline-variable-as-number', 'values of digits are numbers', VARS, (a) => {
    for (const x of a.variables) if (/^\d+$/.test(x.value)) x.value = Number(x.value)
  }),
  attr('pipeline-variables-with-name', 'variables have a name instead of a key', VARS, (a) => {
    a.variables = a.variables.map((x) => ({ name: x.key, value: x.value }))
  }),
  attr('pipeline-second-variable-null', 'the value of the second variable is null', VARS, (a) => {
    if (a.variables[1]) a.variables[1].value = null
  }),
  attr('pipeline-created-in-iso', 'created_at is in ISO 8601', TIME, (a) => {
    a.created_at = iso(a.created_at)
  }),
  attr('pipeline-finished-as-number', 'finished_at is a number of seconds', TIME, (a) => {
    a.finished_at = epoch(a.finished_at)
  }),
  attr('pipeline-finished-without-zone', 'finished_at has no UTC', TIME, (a) => {
    a.finished_at = a.finished_at && a.finished_at.replace(' UTC', '')
  }),
  attr('pipeline-detailed-status-missing', 'detailed_status is missing', ATTRS, (a) => {
    delete a.detailed_status
  }),
  attr('pipeline-before-sha-missing', 'before_sha is missing', ATTRS, (a) => {
    delete a.before_sha
  }),
  attr(
    'pipeline-source-missing-on-failure',
    'source is missing for failed pipelines',
    ATTRS,
    (a) => {
      delete a.source
    },
    'failed',
  ),
  pipe(
    'pipeline-merge-request-without-url',
    'merge_request has no url',
    'merge_request: id, iid, title, ..., url',
    (p) => {
      delete p.merge_request.url
    },
  ),
  pipe('pipeline-merge-request-missing', 'merge_request is missing', TOP, (p) => {
    delete p.merge_request
  }),
  pipe(
    'pipeline-commit-time-like-others',
    'timestamp of commit has the form YYYY-MM-DD HH:MM:SS UTC',
    'Timestamps in commit objects are ISO 8601',
    (p) => {
      p.commit.timestamp = plain(p.commit.timestamp)
    },
  ),
  pipe(
    'pipeline-commit-author-flat',
    'commit has author_name and author_email',
    'commit: ..., author (name, email)',
    (p) => {
      Object.assign(p.commit, {
        author_name: p.commit.author.name,
        author_email: p.commit.author.email,
      })
      delete p.commit.author
    },
  ),
  pipe(
    'pipeline-commit-missing-on-cancel',
    'commit is missing for canceled pipelines',
    TOP,
    (p) => {
      delete p.commit
    },
    'canceled',
  ),
  pipe('pipeline-builds-by-name', 'builds is a map by name', BUILDS, (p) => {
    p.builds = Object.fromEntries(p.builds.map((b) => [b.name, b]))
  }),
  pipe(
    'pipeline-builds-missing-when-skipped',
    'builds is missing for skipped pipelines',
    TOP,
    (p) => {
      delete p.builds
    },
    'skipped',
  ),
  build('pipeline-build-manual-as-text', 'manual is text', 'manual (boolean)', (b) => {
    b.manual = String(b.manual)
  }),
  build('pipeline-build-manual-missing-when-false', 'manual is missing when false', BUILDS, (b) => {
    if (!b.manual) delete b.manual
  }),
  build(
    'pipeline-build-allow-failure-number',
    'allow_failure is 0 or 1',
    'allow_failure (boolean)',
    (b) => {
      b.allow_failure = Number(b.allow_failure)
    },
  ),
  build('pipeline-runner-tags-as-text', 'tags of runners are text', RUNNER, (b) => {
    b.runner.tags = b.runner.tags.join(', ')
  }),
  build('pipeline-runner-shared-as-text', 'is_shared is text', RUNNER, (b) => {
    b.runner.is_shared = String(b.runner.is_shared)
  }),
  build(
    'pipeline-runner-active-missing',
    'the runner of the second build has no active',
    RUNNER,
    (b, n) => {
      if (n === 1) delete b.runner.active
    },
  ),
  build(
    'pipeline-build-artifacts-without-size',
    'artifacts_file has no size',
    'artifacts_file (filename, size)',
    (b) => {
      delete b.artifacts_file.size
    },
  ),
  build('pipeline-build-environment-missing', 'environment is missing when null', BUILDS, (b) => {
    if (b.environment === null) delete b.environment
  }),
  build('pipeline-build-started-in-iso', 'started_at of builds is in ISO 8601', TIME, (b) => {
    b.started_at = iso(b.started_at)
  }),
  build(
    'pipeline-last-build-finished-in-iso',
    'finished_at of the last build is in ISO 8601',
    TIME,
    (b, n) => {
      if (n === 2) b.finished_at = iso(b.finished_at)
    },
  ),
  build('pipeline-build-user-as-name', 'user of builds is a name', BUILDS, (b) => {
    b.user = b.user.name
  }),
  build('pipeline-build-when-missing', 'builds have no when', BUILDS, (b) => {
    delete b.when
  }),
]
