import { coversId, isUndecidedByTarget, type Verdict } from '../engine/index.ts'
import type { Result } from './result.ts'

/** An entry that is suggested for `suite.absent`. */
interface Absence {
  /** A key of the target file, a requirement, or the first parts of its id. */
  name: string
  /** The number of checks that are not applicable with this entry. */
  checks: number
  /** For a requirement, the number of its checks that passed: the server has a part of it. */
  passed: number
}

/** Introduces the entries that are suggested for `suite.absent`. */
export const absencesHeading =
  'If the server does not have some of this, copy its lines to the target file, and replace each … with the reason:'

/**
 * Suggests entries for `suite.absent`, with which the checks that are not covered are not
 * applicable: for features of which nothing is covered, the first parts of their ids; for other
 * checks, the missing keys, or the requirement. Entries for the most checks come first.
 */
function absencesOf({ verdicts, isSet }: Pick<Result, 'verdicts' | 'isSet'>): Absence[] {
  // A failure can be the reason why the server never sent what a check examines.
  const hasFailures = verdicts.some(({ verdict }) => verdict === 'fail')
  const open = verdicts.filter(
    (verdict) =>
      verdict.verdict === 'not covered' &&
      isUndecidedByTarget(verdict) &&
      !(hasFailures && verdict.reasonCode === 'no-message'),
  )
  const counts = new Map<string, number>()
  for (const verdict of open) {
    const { requirement, needs = [] } = verdict
    const feature = requirement.replace(/-\d+$/, '')
    const isWhole = verdicts.every(
      (other) => !coversId(feature, other.requirement) || open.includes(other),
    )
    const names = isWhole
      ? [feature]
      : needs.length > 0 && !needs.some((need) => need.startsWith('suite.') || isSet(need))
        ? verdict.reasonCode === 'key-missing'
          ? needs.slice(0, 1)
          : needs
        : [requirement]
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, checks]) => ({
      name,
      checks,
      passed: verdicts.filter(
        ({ requirement, verdict }) => requirement === name && verdict === 'pass',
      ).length,
    }))
    .toSorted((one, other) => other.checks - one.checks)
}

/**
 * Lines of YAML with entries that are suggested for `suite.absent`: at most `most` entries. Empty
 * if there is nothing to suggest.
 */
export function absenceLines(
  result: Pick<Result, 'verdicts' | 'isSet'>,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const absences = absencesOf(result)
  if (absences.length === 0) return []
  const shown = absences.length <= most + 1 ? absences : absences.slice(0, most)
  const more = absences.length - shown.length
  return [
    'suite:',
    '  absent:',
    ...shown.map(({ name, checks, passed }) => {
      const others =
        passed === 0 ? '' : `; ${passed} ${passed === 1 ? 'other passes' : 'others pass'}`
      return `    ${name}: … # ${checks} ${checks === 1 ? 'check' : 'checks'}${others}`
    }),
    ...(more > 0 ? [`    # ${more} more with --verbose`] : []),
  ]
}

/** Warns of entries of `suite.absent` without any effect; undefined if there are none. */
export function unusedAbsentWarning({
  unusedAbsent = [],
}: Pick<Result, 'unusedAbsent'>): string | undefined {
  if (unusedAbsent.length === 0) return undefined
  const isOne = unusedAbsent.length === 1
  return `Without effect in suite.absent: ${unusedAbsent.join(', ')}. The checks that ${isOne ? 'it names' : 'they name'} have other results, or do not belong to this target. Remove ${isOne ? 'it' : 'them'}.`
}

/** Verdicts that are not applicable because of the same entry, or for the same other reason. */
export interface Inapplicable {
  reason: string
  verdicts: Verdict[]
}

/** Groups the verdicts `not applicable` by their reason. */
export function inapplicableByReason({ verdicts }: Pick<Result, 'verdicts'>): Inapplicable[] {
  const groups = new Map<string, Verdict[]>()
  for (const verdict of verdicts) {
    if (verdict.verdict !== 'not applicable') continue
    const { reason = 'the feature is optional' } = verdict
    groups.set(reason, [...(groups.get(reason) ?? []), verdict])
  }
  return [...groups].map(([reason, own]) => ({ reason, verdicts: own }))
}
