import { eventNames, events, type Event } from '../../../generated/events/contract.ts'
import { UsageError } from '../../print-error.ts'

/**
 * Finds an event by its name, title, X-Hook-Event, object_kind or flag, in any spelling. Throws a
 * `UsageError` if there is none.
 */
export async function findEvent(word: string): Promise<Event> {
  const found = Object.values(events).find((event) => spellings(event).includes(normalize(word)))
  if (found !== undefined) return found
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const suggestion = nearest(word, eventNames)
  throw new UsageError(
    `there is no event named ${word}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`} Known: ${eventNames.join(', ')}`,
  )
}

function spellings({ name, header, kind, flag, title }: Event): string[] {
  return [name, header, kind, flag, title].map(normalize)
}

/**
 * Removes the differences between spellings such as Push Hook, push_events, PushEvent and pushes.
 */
function normalize(word: string): string {
  const letters = word
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(hook|events?)$/, '')
  return letters.replace(/(?<=sh)es$|s$/, '')
}
