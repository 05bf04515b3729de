import type { EventName } from '../../../../generated/events/names.ts'

/** Events with several actions or statuses. A push has only one. */
export type EventWithActions = Exclude<EventName, 'push'>

const changes = ['create', 'update', 'delete'] as const
const statuses = ['pending', 'running', 'success', 'failed', 'canceled'] as const

/**
 * The actions, or the new statuses, that cause each event according to the document, in the order
 * of a life cycle. The payload of a merge request event can also name the actions reopen, approved
 * and unapproved, but the document does not list these as causes.
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
