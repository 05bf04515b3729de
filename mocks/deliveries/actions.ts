import type { EventName } from './events.ts'

const pages = ['create', 'update', 'delete'] as const
const statuses = ['pending', 'running', 'success', 'failed', 'canceled'] as const

/**
 * For each event of the contract, the actions or status changes that cause it, in the order in
 * which they usually happen. Each of these names is also the name of a sample payload (an example
 * in specs/examples). Written by hand, because a mock must not use the schemas with which the suite
 * checks it.
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

/** Further actions, which the contract does not list as causes of the event. */
export const furtherActionsOf: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  push: ['create', 'delete'],
  merge_request: ['reopen', 'approved', 'unapproved'],
}

/** Every action of every event. */
export const allActions: readonly string[] = [
  ...new Set([...Object.values(actionsOf), ...Object.values(furtherActionsOf)].flat()),
]
