import { ALL, DEP, ISSUE, JOB, MR, PIPE, REL, TAG, WIKI, iso, shift, wrong } from './rewrite.ts'
import type { Flag, Obj, Rewrite } from './types.ts'

/** Leaves one field out; the path leads to its holder. */
function without(
  name: string,
  flags: readonly Flag[],
  where: string,
  path: string,
  field: string,
): Rewrite {
  return wrong(name, flags, where, `${field} is left out.`, (p) => {
    let holders: Obj[] = [p]
    for (const k of path ? path.split('.') : []) {
      holders = holders.flatMap((h) => h[k] as Obj | Obj[]).filter(Boolean)
    }
    for (const h of holders) delete h[field]
  })
}

const I = 'Issue payload › object_attributes'
const M = 'Merge request payload › object_attributes'
const P = 'Pipeline payload'
const T = 'Endpoints › POST /projects/{id}/hooks/{hook_id}/test/{event}'
const U = 'Shared nested objects › Timestamps'
const oa = 'object_attributes'

export const moreViolations: readonly Rewrite[] = [
  wrong('test-payload-thin', ALL, T, 'Samples hold only object_kind and the project.', (p, m) => {
    if (!m.test) return
    for (const k of Object.keys(p)) if (!['object_kind', 'project'].includes(k)) delete p[k]
  }),
  wrong('test-payload-kind-test', ALL, T, 'Samples have the object_kind test.', (p, m) => {
    if (m.test) p.object_kind = 'test'
  }),
  wrong('test-payload-strings', ALL, T, 'Numbers and booleans of samples are strings.', (p, m) => {
    if (!m.test) return
    for (const o of [p, p.object_attributes, p.project, p.user]) {
      for (const k of Object.keys(o ?? {})) {
        if (['number', 'boolean'].includes(typeof o[k])) o[k] = String(o[k])
      }
    }
  }),
  wrong(
    'tag-created-before-stale-at-times',
    TAG,
    'Tag push payload',
    'Every third created tag tells the commit of another branch as before.',
    (p, m) => {
      if (m.n % 3 === 0 && m.action === 'create') p.before = 'c3'.repeat(20)
    },
  ),
  wrong(
    'tag-deleted-after-zeros-short-by-one',
    TAG,
    'Tag push payload',
    'after has 39 zeros when a tag is deleted.',
    (p, m) => {
      if (m.action === 'delete') p.after = p.after.slice(1)
    },
  ),
  wrong(
    'fields-in-camel-case',
    [...PIPE, ...WIKI],
    'Shared nested objects › Project',
    'Fields of the project are in camel case.',
    (p) => {
      for (const k of Object.keys(p.project)) {
        const camel = k.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())
        if (camel === k) continue
        p.project[camel] = p.project[k]
        delete p.project[k]
      }
    },
  ),
  wrong('times-local-told-as-utc', DEP, U, 'Times have the local zone CET instead of UTC.', (p) => {
    p.status_changed_at = shift(p.status_changed_at, 3600).replace('UTC', 'CET')
  }),
  wrong('times-with-milliseconds', ISSUE, U, 'Times have milliseconds before the zone.', (p) => {
    const a = p.object_attributes
    a.created_at = a.created_at.replace(' UTC', '.000 UTC')
  }),
  wrong('times-single-digits', MR, U, 'Months and days of times lack leading zeros.', (p) => {
    const a = p.object_attributes
    a.created_at = a.created_at.replace(/-0(\d)/g, '-$1').replace(/ 0(\d:)/, ' $1')
  }),
  wrong('mr-label-updated-iso', MR, U, 'Times of labels in requests are ISO 8601.', (p) =>
    p.labels.forEach((l: any) => {
      l.updated_at = iso(l.updated_at)
    }),
  ),
  wrong(
    'issue-user-email-null',
    ISSUE,
    'Shared nested objects › User',
    'email of the user is null.',
    (p) => {
      p.user.email = null
    },
  ),
  wrong(
    'issue-close-thin',
    ISSUE,
    I,
    'Closing an issue sends no attributes but its id.',
    (p, m) => {
      if (m.action === 'close') p.object_attributes = { id: p.object_attributes.id }
    },
  ),
  wrong(
    'mr-merge-without-last-commit',
    MR,
    M,
    'last_commit is null once a request is merged.',
    (p, m) => {
      if (m.action === 'merge') p.object_attributes.last_commit = null
    },
  ),
  wrong('job-runner-list', JOB, 'Job payload › runner', 'runner is a list of one runner.', (p) => {
    p.runner = [p.runner]
  }),
  without('issue-url-missing', ISSUE, I, oa, 'url'),
  without('issue-description-missing', ISSUE, I, oa, 'description'),
  without('issue-state-id-missing', ISSUE, I, oa, 'state_id'),
  without('issue-assignee-id-missing', ISSUE, I, oa, 'assignee_id'),
  without('issue-assignees-avatar-missing', ISSUE, 'Issue payload', 'assignees', 'avatar_url'),
  without('mr-label-id-missing', MR, 'Shared nested objects › Label', 'labels', 'id'),
  without('mr-source-branch-missing', MR, M, oa, 'source_branch'),
  without('mr-source-project-missing', MR, M, oa, 'source_project_id'),
  without('mr-assignee-missing', MR, M, oa, 'assignee'),
  without('mr-target-missing', MR, M, oa, 'target'),
  without('mr-inner-labels-missing', MR, M, oa, 'labels'),
  without('mr-last-commit-url-missing', MR, M, `${oa}.last_commit`, 'url'),
  without('mr-draft-missing', MR, M, oa, 'draft'),
  without('pipeline-user-missing', PIPE, P, '', 'user'),
  without('pipeline-variables-missing', PIPE, P, oa, 'variables'),
  without('pipeline-commit-author-missing', PIPE, `${P} › commit`, 'commit', 'author'),
  without('pipeline-mr-iid-missing', PIPE, `${P} › merge_request`, 'merge_request', 'iid'),
  without('builds-queued-missing', PIPE, `${P} › builds`, 'builds', 'queued_duration'),
  without('builds-stage-missing', PIPE, `${P} › builds`, 'builds', 'stage'),
  without('builds-runner-id-missing', PIPE, `${P} › builds › runner`, 'builds.runner', 'id'),
  without('job-user-missing', JOB, 'Job payload', '', 'user'),
  without('job-ref-missing', JOB, 'Job payload', '', 'ref'),
  without('job-stage-missing', JOB, 'Job payload', '', 'build_stage'),
  without('job-runner-type-missing', JOB, 'Job payload › runner', 'runner', 'runner_type'),
  without('job-environment-action-missing', JOB, 'Job payload', 'environment', 'action'),
  without('deployment-environment-missing', DEP, 'Deployment payload', '', 'environment'),
  without(
    'deployment-external-url-missing',
    DEP,
    'Deployment payload',
    '',
    'environment_external_url',
  ),
  without('deployment-deployable-id-missing', DEP, 'Deployment payload', '', 'deployable_id'),
  without('deployment-project-missing', DEP, 'Deployment payload', '', 'project'),
  without('wiki-web-url-missing', WIKI, 'Wiki page payload', 'wiki', 'web_url'),
  without('wiki-title-missing', WIKI, 'Wiki page payload', oa, 'title'),
  without('wiki-slug-missing', WIKI, 'Wiki page payload', oa, 'slug'),
  without('wiki-url-missing', WIKI, 'Wiki page payload', oa, 'url'),
  without('release-tag-missing', REL, 'Release payload', '', 'tag'),
  without('release-name-missing', REL, 'Release payload', '', 'name'),
  without('release-project-missing', REL, 'Release payload', '', 'project'),
  without('release-assets-missing', REL, 'Release payload', '', 'assets'),
  without('release-link-url-missing', REL, 'Release payload › assets', 'assets.links', 'url'),
]
