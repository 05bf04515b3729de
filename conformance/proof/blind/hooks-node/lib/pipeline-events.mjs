// Pipelines, jobs and deployments.
import { on } from './registry.mjs'
import { ago, utc } from './projects.mjs'
import { mergeSummary, someMerge } from './issue-events.mjs'

const DONE = ['success', 'failed', 'canceled', 'skipped']

/** The last unfinished thing of a list, or a new one; in the new status. */
function advance(list, status, make) {
  let thing = list.at(-1)
  const first = status === 'pending' || status === 'created'
  if (!thing || DONE.includes(thing.status) || first) {
    thing = make()
    list.push(thing)
  }
  thing.status = status
  thing.changed = new Date()
  if (DONE.includes(status)) thing.finished = new Date()
  return thing
}

function newPipeline(project) {
  const number = project.number('pipeline')
  return {
    id: number,
    created: ago(95),
    sha: project.head,
    before: project.previousHead,
    merge: someMerge(project),
  }
}

const RUNNER = {
  id: 8,
  description: 'shared runner – größer',
  runner_type: 'instance_type',
  active: true,
}

function runner() {
  const { id, description, runner_type: type, active } = RUNNER
  const shared = !on('runners-of-the-project')
  return {
    id,
    description,
    active,
    runner_type: shared ? type : 'project_type',
    is_shared: shared,
    tags: on('runners-without-tags') ? [] : ['linux', 'docker'],
  }
}

const ENVIRONMENT = { name: 'production', action: 'start', deployment_tier: 'production' }

function builds(project, thing) {
  const rows = [
    ['build', 'compile'],
    ['test', 'unit tests'],
    ['deploy', 'ship'],
  ]
  return rows.map(([stage, name], n) => {
    let status = thing.status === 'skipped' ? 'canceled' : thing.status
    if (thing.status === 'running') status = ['success', 'running', 'pending'][n]
    if (thing.status === 'failed') status = ['success', 'failed', 'pending'][n]
    const started = status !== 'pending'
    const finished = started && status !== 'running'
    return {
      id: thing.id * 10 + n,
      stage,
      name,
      status,
      created_at: utc(thing.created),
      started_at: started ? utc(new Date(thing.created.getTime() + 5000)) : null,
      finished_at: finished ? utc(new Date(thing.created.getTime() + 35000)) : null,
      duration: finished ? 30 : 0,
      queued_duration: 5,
      when: n === 2 ? 'manual' : 'on_success',
      manual: n === 2,
      allow_failure: n === 2,
      user: project.user(n % 2),
      runner: runner(),
      artifacts_file:
        n === 0 && !on('no-artifacts')
          ? { filename: 'artifacts.zip', size: 48213 }
          : { filename: null, size: null },
      environment: n === 2 && !on('builds-without-environment') ? { ...ENVIRONMENT } : null,
    }
  })
}

export function pipeline(project, status) {
  const thing = advance(project.lists.pipeline, status, () => newPipeline(project))
  const tag = on('pipelines-of-tags')
  const over = Boolean(thing.finished)
  const seconds = over ? Math.round((thing.finished - thing.created) / 1000) - 5 : 0
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: thing.id,
      ref: tag ? 'v1.0' : project.branch,
      tag,
      sha: thing.sha,
      before_sha: thing.before,
      source: on('pipelines-of-merge-requests') ? 'merge_request_event' : 'push',
      status,
      detailed_status: on('detailed-status-in-words')
        ? { success: 'passed' }[status] || status
        : status,
      stages: ['build', 'test', 'deploy'],
      created_at: utc(thing.created),
      finished_at: over ? utc(thing.finished) : null,
      duration: seconds,
      queued_duration: 5,
      variables: on('pipelines-without-variables')
        ? []
        : [
            { key: 'LEVEL', value: '3' },
            { key: 'GRÜSSE', value: 'hallo welt' },
          ],
    },
    merge_request: mergeSummary(project, thing.merge),
    user: project.user(),
    project: project.plainProject(),
    commit: project.shortCommit(thing.sha, 1),
    builds: on('pipelines-without-builds') ? [] : builds(project, thing),
  }
}

function newJob(project) {
  return { id: project.number('build'), created: ago(64) }
}

export function job(project, status) {
  const thing = advance(project.lists.build, status, () => newJob(project))
  const last = project.lists.pipeline.at(-1)
  if (!last) project.lists.pipeline.push(Object.assign(newPipeline(project), { status: 'running' }))
  const parent = last || project.lists.pipeline.at(-1)
  const started = status !== 'pending'
  const tag = on('pipelines-of-tags')
  const fraction = on('job-durations-with-fractions') ? 0.25 : 0
  const failed = status === 'failed' ? 'script_failure' : null
  return {
    object_kind: 'build',
    ref: tag ? 'v1.0' : project.branch,
    tag,
    before_sha: parent.before,
    sha: parent.sha,
    build_id: thing.id,
    build_name: 'unit tests',
    build_stage: 'test',
    build_status: status,
    build_created_at: utc(thing.created),
    build_started_at: started ? utc(new Date(thing.created.getTime() + 4000)) : null,
    build_finished_at: thing.finished ? utc(thing.finished) : null,
    build_duration: (thing.finished ? 60 : 0) + fraction,
    build_queued_duration: 4 + fraction,
    build_allow_failure: false,
    build_failure_reason: on('failure-reason-always-given') ? failed || 'unknown_failure' : failed,
    pipeline_id: parent.id,
    runner: runner(),
    project_id: project.id,
    project_name: on('job-project-name-with-path')
      ? project.path.replace('/', ' / ')
      : project.name,
    user: project.user(1),
    commit: project.shortCommit(parent.sha, 1),
    repository: project.repository(),
    environment: { ...ENVIRONMENT },
  }
}

export function deployment(project, status) {
  const thing = advance(project.lists.deployment, status, () => ({
    id: project.number('build'),
    job: project.number('build'),
    sha: project.head,
  }))
  const commit = project.shortCommit(thing.sha, 1)
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: utc(thing.changed),
    deployment_id: thing.id,
    deployable_id: thing.job,
    deployable_url: `${project.web}/-/jobs/${thing.job}`,
    environment: on('deployments-to-staging') ? 'staging/eu' : 'production',
    environment_tier: on('deployments-to-staging') ? 'staging' : 'production',
    environment_slug: on('deployments-to-staging') ? 'staging-eu-1a2b' : 'production',
    environment_external_url: on('environment-url-null') ? null : 'https://www.example.org/',
    project: project.plainProject(),
    short_sha: thing.sha.slice(0, on('short-sha-of-ten') ? 10 : 8),
    user: project.user(),
    user_url: `https://git.example.org/${project.users[0].username}`,
    commit_url: commit.url,
    commit_title: commit.title,
  }
}
