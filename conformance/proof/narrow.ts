import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { CheckSelection, Reference } from './jobs.ts'

/**
 * The number of checks that send each kind of message for a watching check. A few are enough,
 * because the messages of the other checks would mostly show the same.
 */
const sendersPerKind = 3

/**
 * Selects the checks that judge a fault. These are the checks of the requirements that the fault
 * violates, or the checks of the whole topics of these requirements. Watching checks send nothing,
 * so a few other checks send for them.
 */
export function selectChecks(
  violates: readonly RequirementId[],
  { checks, sendersByCheck }: Pick<Reference, 'checks' | 'sendersByCheck'>,
  scope: 'requirements' | 'topics',
): CheckSelection {
  const scopeOf = (id: RequirementId): string =>
    scope === 'requirements' ? id : `${requirements[id].contract} ${requirements[id].topic}`
  const scopes = new Set(violates.map(scopeOf))
  const selected = checks.filter(({ requirement }) => scopes.has(scopeOf(requirement)))
  const sending = new Set(selected.flatMap(({ key, kind }) => (kind === 'act' ? [key] : [])))
  for (const { key } of selected) {
    for (const senders of Object.values(sendersByCheck[key] ?? {})) {
      const missing = sendersPerKind - senders.filter((sender) => sending.has(sender)).length
      const idle = senders.filter((sender) => !sending.has(sender))
      for (const sender of idle.slice(0, Math.max(0, missing))) sending.add(sender)
    }
  }
  return { selected: selected.map(({ key }) => key), sending: [...sending] }
}
