import { events, type Event } from '../../../generated/events/contract.ts'
import { findFlag, knownNames, similarName } from '../../../mocks/deliveries/event-names.ts'
import { eventOf } from '../../../mocks/deliveries/events.ts'
import { UsageError } from '../../print-error.ts'

/**
 * Finds an event by its name, title, X-Hook-Event, object_kind or flag, in any spelling. Throws a
 * `UsageError` if there is none.
 */
export function findEvent(word: string): Event {
  const flag = findFlag(word)
  const name = flag === undefined ? undefined : eventOf(flag)
  if (name !== undefined) return events[name]
  const suggestion = similarName(word)
  throw new UsageError(
    `there is no event named ${word}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`} Known: ${knownNames.join(', ')}`,
  )
}

/** Whether a word names the event of confidential issues, whose payload is that of an issue. */
export const isConfidentialIssue = (word: string): boolean =>
  findFlag(word) === 'confidential_issues_events'
