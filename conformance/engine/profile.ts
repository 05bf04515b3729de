import { requirements, type Profile } from '../../generated/requirements/index.ts'
import type { Verdict } from './verdict.ts'

/**
 * Returns how a verdict counts in the results of one profile. A profile is a part of the catalogue:
 * `mcp` has the requirements of the protocol, `conventions` those that only the contract adds. A
 * convention that is not met says nothing about the protocol. So a check of the protocol that is
 * blocked by a convention counts as not covered in the profile `mcp`.
 */
export function verdictWithin(profile: Profile, verdict: Verdict): Verdict {
  const { blockedBy, ...rest } = verdict
  if (profile !== 'mcp' || blockedBy === undefined) return verdict
  if (requirements[blockedBy].profile !== 'conventions') return verdict
  return {
    ...rest,
    verdict: 'not covered',
    reason: `${blockedBy}, a convention that this check depends on, is not met`,
    reasonCode: 'convention-failed',
  }
}
