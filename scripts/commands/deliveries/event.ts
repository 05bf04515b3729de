import { eventNames, events, type Event } from '../../../generated/events/contract.ts'
import { UsageError } from '../../complain.ts'

/** The event that a word means: its name, its X-Hook-Event, its object_kind or its flag, in any spelling. */
export async function eventNamed(word: string): Promise<Event> {
  const found = Object.values(events).find((event) => spellings(event).includes(bare(word)))
  if (found !== undefined) return found
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const meant = nearest(word, eventNames)
  throw new UsageError(
    `there is no event named ${word}.${meant === undefined ? '' : ` Did you mean ${meant}?`} Known: ${eventNames.join(', ')}`,
  )
}

function spellings({ name, header, kind, flag, title }: Event): string[] {
  return [name, header, kind, flag, title].map(bare)
}

/** Push Hook, push_events, PushEvent and pushes are all the same word. */
function bare(word: string): string {
  const letters = word
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(hook|events?)$/, '')
  return letters.replace(/(?<=sh)es$|s$/, '')
}
