// Makes events happen: changes the things of a project and gives the payloads.
import { on } from './registry.mjs'
import { push, tagPush } from './code-events.mjs'
import { issue, mergeRequest } from './issue-events.mjs'
import { deployment, job, pipeline } from './pipeline-events.mjs'
import { release, wikiPage } from './page-events.mjs'

const KINDS = {
  push_events: {
    event: 'push',
    title: 'Push Hook',
    make: push,
    actions: ['push', 'update', 'create', 'delete'],
  },
  tag_push_events: {
    event: 'tag',
    title: 'Tag Push Hook',
    make: tagPush,
    actions: ['create', 'delete'],
  },
  issues_events: {
    event: 'issue',
    title: 'Issue Hook',
    make: (p, a) => issue(p, a, false),
    actions: ['open', 'update', 'close', 'reopen'],
  },
  confidential_issues_events: {
    event: 'confidential',
    title: 'Confidential Issue Hook',
    make: (p, a) => issue(p, a, true),
    actions: ['open', 'update', 'close', 'reopen'],
  },
  merge_requests_events: {
    event: 'merge',
    title: 'Merge Request Hook',
    make: mergeRequest,
    actions: ['open', 'update', 'close', 'reopen', 'merge', 'approved', 'unapproved'],
  },
  pipeline_events: {
    event: 'pipeline',
    title: 'Pipeline Hook',
    make: pipeline,
    actions: ['success', 'pending', 'running', 'failed', 'canceled', 'skipped'],
  },
  job_events: {
    event: 'job',
    title: 'Job Hook',
    make: job,
    actions: ['success', 'pending', 'running', 'failed', 'canceled'],
  },
  deployment_events: {
    event: 'deployment',
    title: 'Deployment Hook',
    make: deployment,
    actions: ['success', 'created', 'running', 'failed', 'canceled'],
  },
  wiki_page_events: {
    event: 'wiki',
    title: 'Wiki Page Hook',
    make: wikiPage,
    actions: ['create', 'update', 'delete'],
  },
  releases_events: {
    event: 'release',
    title: 'Release Hook',
    make: release,
    actions: ['create', 'update', 'delete'],
  },
}

function made(project, flag, action) {
  const kind = KINDS[flag]
  const title =
    flag === 'confidential_issues_events' && on('confidential-header-as-issue')
      ? 'Issue Hook'
      : kind.title
  return { flag, event: kind.event, title, action, payload: kind.make(project, action) }
}

/** The events of one trigger, or null for an unknown event or action. */
export function happen(project, flag, wanted) {
  const kind = Object.hasOwn(KINDS, flag) ? KINDS[flag] : null
  if (!kind) return null
  const action = wanted === undefined || wanted === null ? kind.actions[0] : wanted
  if (!kind.actions.includes(action)) return null
  const event = made(project, flag, action)
  const events = [event]
  if (on('tag-creation-also-a-push') && event.event === 'tag' && action === 'create') {
    events.push(made(project, 'push_events', 'push'))
  }
  if (on('merge-also-sends-close') && action === 'merge') {
    const copy = structuredClone(event)
    copy.payload.object_attributes.action = 'close'
    events.push({ ...copy, action: 'close' })
  }
  if (on('job-change-also-a-pipeline-event') && event.event === 'job') {
    events.push(made(project, 'pipeline_events', 'running'))
  }
  return events
}

/** The event of a test call; it happens in a copy of the project, which itself stays as it is. */
export function sample(project, flag) {
  if (!Object.hasOwn(KINDS, flag)) return null
  const copy = Object.assign(
    Object.create(Object.getPrototypeOf(project)),
    structuredClone({ ...project }),
  )
  return made(copy, flag, KINDS[flag].actions[0])
}
