import type { EventName } from '../../../../generated/events/names.ts'

/** Events with several actions or statuses that the document lists as causes. Pushes have one. */
export type EventWithActions = Exclude<EventName, 'push'>

const changes = ['create', 'update', 'delete'] as const
const statuses = ['pending', 'running', 'success', 'failed', 'canceled'] as const

/**
 * For each event, the actions or new statuses that cause it according to the document, in the order
 * in which they happen.
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

/**
 * For some events, further actions. The document lists those of merge requests as values of the
 * field `action`, but not as causes, and does not say whether creating or deleting a branch is a
 * push. So a service need not deliver them, but what it delivers must be a correct event.
 */
export const furtherActionsOf: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  push: ['create', 'delete'],
  merge_request: ['reopen', 'approved', 'unapproved'],
}

/** Every action that a target file can name. */
export const knownActions: readonly string[] = [
  ...new Set([...Object.values(actionsOf), ...Object.values(furtherActionsOf)].flat()),
]
