import type { EventName } from '../../../../generated/events/names.ts'

/** Events with several actions or statuses. A push has only one. */
export type EventWithActions = Exclude<EventName, 'push'>

const changes = ['create', 'update', 'delete'] as const
const statuses = ['pending', 'running', 'success', 'failed', 'canceled'] as const

/**
 * For each event, the actions or new statuses that cause it according to the document, in the order
 * in which they happen. A merge request payload can also contain reopen, approved and unapproved,
 * but the document does not list these as causes.
 */
export const actionsOf = {
  tag_push: ['create', 'delete'],
  issue: ['open', 'update', 'close', 'reopen'],
  merge_request: ['open', 'update', 'close', 'merge'],
  pipeline: [...statuses, 'skipped'],
  job: statuses,
  deployment: ['created', 'running', 'success', 'failed', 'canceled'],
  wiki_page: changes,
  release: changes,
} as const satisfies Readonly<Record<EventWithActions, readonly string[]>>
