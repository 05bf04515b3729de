import type { EventName } from './events.ts'

const pages = ['create', 'update', 'delete'] as const
const statuses = ['pending', 'running', 'success', 'failed', 'canceled'] as const

/**
 * What makes each event happen according to the document: actions or changes of the status, in the
 * order of a life cycle. Each is also the name of a golden payload. Written by hand: mocks must not
 * use the schemas that judge them.
 */
export const actionsOf = {
  push: [],
  tag_push: ['create', 'delete'],
  issue: ['open', 'update', 'close', 'reopen'],
  merge_request: ['open', 'update', 'close', 'merge'],
  pipeline: [...statuses, 'skipped'],
  job: statuses,
  deployment: ['created', 'running', 'success', 'failed', 'canceled'],
  wiki_page: pages,
  release: pages,
} as const satisfies Readonly<Record<EventName, readonly string[]>>
