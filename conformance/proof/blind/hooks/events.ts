import { deployment, job, pipeline } from './event-ci.ts'
import { release, wikiPage } from './event-docs.ts'
import { push, tagPush } from './event-push.ts'
import { confidentialIssue, issue, mergeRequest } from './event-ticket.ts'
import type { Random } from './random.ts'
import type { Flag, Obj } from './types.ts'
import type { Project, World } from './world.ts'

interface EventKind {
  header: string
  /** The words that an event of this kind may carry; the first is the usual one. */
  actions: readonly string[]
  anyByDefault: boolean
  build: (w: World, p: Project, action: string, r: Random, sample: boolean) => Obj
}

const ticket = ['open', 'update', 'close', 'reopen']
const page = ['create', 'update', 'delete']
const jobStates = ['success', 'pending', 'running', 'failed', 'canceled']

export const eventKinds: Record<Flag, EventKind> = {
  push_events: { header: 'Push Hook', actions: ['push'], anyByDefault: false, build: push },
  tag_push_events: {
    header: 'Tag Push Hook',
    actions: ['create', 'delete'],
    anyByDefault: false,
    build: tagPush,
  },
  issues_events: { header: 'Issue Hook', actions: ticket, anyByDefault: false, build: issue },
  confidential_issues_events: {
    header: 'Confidential Issue Hook',
    actions: ticket,
    anyByDefault: false,
    build: confidentialIssue,
  },
  merge_requests_events: {
    header: 'Merge Request Hook',
    actions: [...ticket, 'merge', 'approved', 'unapproved'],
    anyByDefault: false,
    build: mergeRequest,
  },
  wiki_page_events: {
    header: 'Wiki Page Hook',
    actions: page,
    anyByDefault: false,
    build: wikiPage,
  },
  deployment_events: {
    header: 'Deployment Hook',
    actions: ['created', 'running', 'success', 'failed', 'canceled'],
    anyByDefault: true,
    build: deployment,
  },
  job_events: { header: 'Job Hook', actions: jobStates, anyByDefault: true, build: job },
  pipeline_events: {
    header: 'Pipeline Hook',
    actions: [...jobStates, 'skipped'],
    anyByDefault: true,
    build: pipeline,
  },
  releases_events: { header: 'Release Hook', actions: page, anyByDefault: false, build: release },
}

const synonyms: Record<string, string> = {
  opened: 'open',
  create: 'open',
  created: 'open',
  updated: 'update',
  closed: 'close',
  reopened: 'reopen',
  merged: 'merge',
  approve: 'approved',
  unapprove: 'unapproved',
}
const pageSynonyms: Record<string, string> = {
  created: 'create',
  open: 'create',
  updated: 'update',
  deleted: 'delete',
  remove: 'delete',
  removed: 'delete',
  cancelled: 'canceled',
  succeeded: 'success',
}

export function actionFor(flag: Flag, word: unknown, r: Random): string {
  const { actions, anyByDefault } = eventKinds[flag]
  const said = String(word ?? '')
  if (actions.includes(said)) return said
  for (const table of [pageSynonyms, synonyms]) {
    const known = table[said]
    if (known && actions.includes(known)) return known
  }
  return anyByDefault ? r.pick(actions) : actions[0]!
}
