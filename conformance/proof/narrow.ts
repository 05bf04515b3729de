import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { CheckSelection, Reference } from './jobs.ts'

/**
 * For each kind of message that a watching check examines, so many checks send. The messages of the
 * first few mostly show what those of all would show.
 */
const sendersPerKind = 3

/**
 * Selects the checks that judge a fault in the quick proof: those of the topics that it violates.
 * Watching checks send nothing, so a few other checks send for them.
 */
export function selectChecks(
  violates: readonly RequirementId[],
  { checks, feeders }: Pick<Reference, 'checks' | 'feeders'>,
): CheckSelection {
  const topicOf = (id: RequirementId) => `${requirements[id].contract} ${requirements[id].topic}`
  const topics = new Set(violates.map(topicOf))
  const selected = checks.filter(({ requirement }) => topics.has(topicOf(requirement)))
  const feeding = new Set(selected.flatMap(({ key, kind }) => (kind === 'act' ? [key] : [])))
  for (const { key } of selected) {
    for (const senders of Object.values(feeders[key] ?? {})) {
      const missing = sendersPerKind - senders.filter((sender) => feeding.has(sender)).length
      const idle = senders.filter((sender) => !feeding.has(sender))
      for (const sender of idle.slice(0, Math.max(0, missing))) feeding.add(sender)
    }
  }
  return { selected: selected.map(({ key }) => key), feeding: [...feeding] }
}
