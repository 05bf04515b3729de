import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { Judges, Reference } from './jobs.ts'

/** How many checks cause each kind of message that a watching check examines: the first ones see what all see, mostly. */
const enough = 3

/**
 * The checks that judge a broken server in the quick proof: those of the topics whose requirements
 * it violates. Watching checks among them send nothing, so that a few others send for them.
 */
export function judgesOf(
  violates: readonly RequirementId[],
  { checks, feeders }: Pick<Reference, 'checks' | 'feeders'>,
): Judges {
  const topicOf = (id: RequirementId) => `${requirements[id].contract} ${requirements[id].topic}`
  const topics = new Set(violates.map(topicOf))
  const own = checks.filter(({ requirement }) => topics.has(topicOf(requirement)))
  const feeding = new Set(own.flatMap(({ key, kind }) => (kind === 'act' ? [key] : [])))
  for (const { key } of own) {
    for (const senders of Object.values(feeders[key] ?? {})) {
      const more = enough - senders.filter((sender) => feeding.has(sender)).length
      for (const sender of senders.filter((one) => !feeding.has(one)).slice(0, Math.max(0, more)))
        feeding.add(sender)
    }
  }
  return { selected: own.map(({ key }) => key), feeding: [...feeding] }
}
