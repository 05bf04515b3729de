import { requirements, type Profile } from '../../generated/requirements/index.ts'
import {
  exitStatus,
  isUndecided,
  totalsOf,
  verdictWithin,
  type Totals,
  type Verdict,
} from '../engine/index.ts'
import { count } from './explanation.ts'
import { describeOpen, isPartial, reasonForNoJudgement, requirementsOf } from './groups.ts'
import type { Result } from './result.ts'

/** The profiles of tool servers, in the order of reports. */
const profiles: readonly Profile[] = ['mcp', 'conventions']

/** The title of a profile, with the versions of MCP that the server agreed on. */
const titleOf = (profile: Profile, versions: readonly string[]): string =>
  profile === 'mcp' ? ['MCP', versions.join(', ')].join(' ').trim() : profile

/** The result of a run for the requirements of one profile. */
export interface ProfileResult {
  profile: Profile
  title: string
  /** The exit status of a run with the checks of this profile only. */
  exit: 0 | 1 | 2 | 3
  totals: Totals
  /** The result in words: "2 requirements not met". */
  meaning: string
}

/**
 * The result of a tool server for each profile: whether it follows the protocol, and whether it
 * follows the conventions of the contract. Empty if the run has no result, or if it has checks of
 * only one profile.
 */
export function profilesOf({
  verdicts,
  strict,
  exit,
  selected = [],
  skipped = [],
  protocolVersions = [],
}: Pick<
  Result,
  'verdicts' | 'strict' | 'exit' | 'selected' | 'skipped' | 'protocolVersions'
>): ProfileResult[] {
  if (exit === 3 || exit === 130) return []
  const found = profiles.flatMap((profile) => {
    const own = verdicts
      .filter(({ requirement }) => requirements[requirement].profile === profile)
      .map((verdict) => verdictWithin(profile, verdict))
    if (own.length === 0) return []
    return [
      {
        profile,
        title: titleOf(profile, protocolVersions),
        exit: exitStatus(own, { strict }),
        totals: totalsOf(own),
        meaning: meaningWithin(own, isPartial({ selected, skipped })),
      },
    ]
  })
  return found.length > 1 ? found : []
}

function meaningWithin(verdicts: readonly Verdict[], isLimited: boolean): string {
  const broken = requirementsOf(verdicts.filter(({ verdict }) => verdict === 'fail'))
  const isEarly = verdicts.some(({ reasonCode }) => reasonCode === 'cancelled')
  const early = isEarly ? ' before the run ended early' : ''
  if (broken > 0) return `${count(broken, 'requirement')} not met${early}`
  const known = requirementsOf(verdicts.filter(({ verdict }) => verdict === 'known'))
  const except = known > 0 ? `, except for ${count(known, 'known failure')}` : ''
  const musts = verdicts.filter(({ level }) => level === 'must')
  if (musts.some((verdict) => verdict.verdict === 'blocked' && !isUndecided(verdict)))
    return 'not tested: a basic operation does not work'
  const open = musts.filter(isUndecided)
  const nothing = reasonForNoJudgement(verdicts, isLimited ? 'selected check' : 'check')
  if (open.length === 0 && nothing !== undefined) return nothing
  const limit = isLimited ? 'selected checks: ' : ''
  if (isEarly) return `${limit}no violation found${except}${early}`
  return open.length > 0
    ? `${limit}no violation found${except}, but ${describeOpen(open)}`
    : `${limit}conformant${except}`
}
