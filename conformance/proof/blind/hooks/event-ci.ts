import {
  briefCommit,
  projectPart,
  repositoryPart,
  runnerPart,
  stamp,
  userPart,
  web,
} from './parts.ts'
import { Random } from './random.ts'
import type { Obj } from './types.ts'
import type { Project, World } from './world.ts'

const detailed: Record<string, string> = { success: 'passed' }
const done = new Set(['success', 'failed', 'canceled'])

function buildStatus(status: string, i: number, r: Random): string {
  if (status === 'running') return i === 0 ? 'success' : r.pick(['running', 'pending'])
  if (status === 'failed') return i === 0 ? 'success' : i === 1 ? 'failed' : 'skipped'
  return status
}

function build(w: World, r: Random, stage: string, status: string, created: number): Obj {
  const begun = done.has(status) || status === 'running'
  const queued = r.int(1, 40)
  const started = created + queued * 1000
  const duration = begun ? r.int(3, 300) : 0
  return {
    id: w.id('build', r),
    stage,
    name: r.pick(['unit', 'lint', 'package', 'smoke']) + ':' + stage,
    status,
    created_at: stamp(created),
    started_at: begun ? stamp(started) : null,
    finished_at: done.has(status) ? stamp(started + duration * 1000) : null,
    duration,
    queued_duration: queued,
    when: r.pick(['on_success', 'manual', 'always']),
    manual: false,
    allow_failure: r.chance(0.2),
    user: userPart(r.pick(w.users)),
    runner: runnerPart(w, r),
    artifacts_file: { filename: `${stage}.zip`, size: r.int(100, 900000) },
    environment:
      stage === 'deploy' ? { name: 'staging', action: 'start', deployment_tier: 'staging' } : null,
  }
}

export function pipeline(w: World, p: Project, status: string, r: Random): Obj {
  const branch = r.pick([...p.heads.keys()].slice(1))
  const sha = p.heads.get(branch)!
  const created = w.now() - r.int(400, 3000) * 1000
  const stages = r.chance(0.5) ? ['build', 'test', 'deploy'] : ['build', 'test', 'scan', 'deploy']
  const builds = stages.map((s, i) => build(w, r, s, buildStatus(status, i, r), created))
  for (const b of builds) b['manual'] = b['when'] === 'manual'
  const ended = done.has(status)
  const duration = Math.max(...builds.map((b) => b['duration'] as number))
  const queued = r.int(1, 30)
  const mrId = w.id('merge', r)
  const iid = r.int(1, p.miid)
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: w.id('pipeline', r),
      ref: branch,
      tag: false,
      sha,
      before_sha: r.hex(40),
      source: 'merge_request_event',
      status,
      detailed_status: detailed[status] ?? status,
      stages,
      created_at: stamp(created),
      finished_at: ended ? stamp(created + (queued + duration) * 1000 + 5000) : null,
      duration,
      queued_duration: queued,
      variables: r.some(
        [
          { key: 'DEPLOY_TO', value: 'staging' },
          { key: 'DEBUG', value: '0' },
          { key: 'GREETING', value: 'grüß dich' },
        ],
        1,
        3,
      ),
    },
    merge_request: {
      id: mrId,
      iid,
      title: r.pick(['Add the import page', 'Fix time-outs', 'Größen anpassen']),
      source_branch: branch,
      source_project_id: p.id,
      target_branch: p.defaultBranch,
      target_project_id: p.id,
      state: 'opened',
      merge_status: 'can_be_merged',
      url: `${web(p)}/-/merge_requests/${iid}`,
    },
    user: userPart(r.pick(w.users)),
    project: projectPart(p),
    commit: briefCommit(w, p, new Random(sha), sha, created - 60000),
    builds,
  }
}

export function job(w: World, p: Project, status: string, r: Random): Obj {
  const branch = r.pick([...p.heads.keys()])
  const tag = r.chance(0.25)
  const sha = p.heads.get(branch)!
  const created = w.now() - r.int(400, 3000) * 1000
  const stage = r.pick(['build', 'test', 'deploy'])
  const b = build(w, r, stage, status, created)
  return {
    object_kind: 'build',
    ref: tag ? `v${r.int(1, 3)}.${r.int(0, 9)}.0` : branch,
    tag,
    before_sha: r.hex(40),
    sha,
    build_id: b['id'],
    build_name: b['name'],
    build_stage: stage,
    build_status: status,
    build_created_at: b['created_at'],
    build_started_at: b['started_at'],
    build_finished_at: b['finished_at'],
    build_duration: b['duration'],
    build_queued_duration: b['queued_duration'],
    build_allow_failure: b['allow_failure'],
    build_failure_reason: status === 'failed' ? 'script_failure' : 'unknown_failure',
    pipeline_id: w.id('pipeline', r),
    runner: b['runner'],
    project_id: p.id,
    project_name: `${p.namespace} / ${p.name}`,
    user: userPart(r.pick(w.users)),
    commit: briefCommit(w, p, new Random(sha), sha, created - 60000),
    repository: repositoryPart(p),
    environment: r.pick([
      { name: 'staging', action: 'start', deployment_tier: 'staging' },
      { name: 'production', action: 'start', deployment_tier: 'production' },
      { name: 'review/import', action: 'prepare', deployment_tier: 'development' },
    ]),
  }
}

export function deployment(w: World, p: Project, status: string, r: Random): Obj {
  const sha = r.pick([...p.heads.values()])
  const u = r.pick(w.users)
  const deployable = w.id('build', r)
  const [environment, tier] = r.pick([
    ['staging', 'staging'],
    ['production', 'production'],
    ['review/import', 'development'],
  ] as const)
  const slug = environment.replace('/', '-')
  const c = briefCommit(w, p, new Random(sha), sha, w.now() - 7200e3)
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: stamp(w.now()),
    deployment_id: w.id('deployment', r),
    deployable_id: deployable,
    deployable_url: `${web(p)}/-/jobs/${deployable}`,
    environment,
    environment_tier: tier,
    environment_slug: slug,
    environment_external_url: `https://${slug}.${p.path}.example`,
    project: projectPart(p),
    short_sha: sha.slice(0, 8),
    user: userPart(u),
    user_url: new URL('/' + u.username, web(p)).href,
    commit_url: c['url'],
    commit_title: c['title'],
  }
}
