import type { EventName } from '../../deliveries/events.ts'
import { exampleNames } from '../../deliveries/payload.ts'
import type { HooksChoices } from './choices.ts'
import type { HookedEvent } from './outgoing.ts'

/** For each hook or outbox, the number of its events with alternating payloads. */
const counts = new WeakMap<object, number>()

/** Events whose sample payloads alternate, because one payload cannot show all fields or rules. */
const alternating: Readonly<Partial<Record<EventName, readonly [string, string]>>> = {
  tag_push: ['create', 'delete'],
  issue: ['update', 'close'],
  merge_request: ['update', 'merge'],
  pipeline: ['success-merge-request', 'pending-merge-request'],
  job: ['success-environment', 'failed'],
}

/** The sample payloads of pushes that create or delete a branch. */
const branchExamples: Readonly<Record<string, string>> = {
  create: 'new-branch',
  delete: 'branch-deleted',
}

/**
 * The name of the sample payload of an event; undefined for the default one. Payloads alternate
 * among the events with the same `source`: a hook with test calls, or an outbox with events of its
 * project.
 */
export function exampleNameOf(
  { event, action, number }: Omit<HookedEvent, 'example'>,
  { examples }: HooksChoices,
  source: object,
): string | undefined {
  if (action !== undefined) return event === 'push' ? branchExamples[action] : action
  if (examples === 'rotating') {
    const names = exampleNames(event)
    return names[(number - 1) % names.length]
  }
  const pair = alternating[event]
  if (pair === undefined || examples[event] !== undefined) return examples[event]
  const count = counts.get(source) ?? 0
  counts.set(source, count + 1)
  return pair[count % 2]
}
