import { requirements, type Profile } from '../../generated/requirements/index.ts'
import type { Verdict } from './verdict.ts'

/**
 * Returns a verdict as a part of one profile. A convention that is not met does not decide about
 * the protocol, so a check that it blocked is not covered.
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
