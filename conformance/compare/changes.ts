import type { Verdict } from '../engine/index.ts'
import { comparableObservations } from './observations.ts'
import {
  hasNoResult,
  haveDifferentSelections,
  stateOf,
  type SavedRun,
  type State,
} from './saved-run.ts'

/** The groups of changes, in the order of output. A check is in at most one of them. */
export const changeGroups = [
  'newlyFailing',
  'newErrors',
  'noLongerKnown',
  'newlyCoveredFailing',
  'newWarnings',
  'newlyKnown',
  'newlyStale',
  'noLongerCovered',
  'changedBehaviour',
  'fixed',
  'newlyCovered',
  'newChecksFailing',
  'newChecks',
  'removedChecks',
] as const
export type ChangeGroup = (typeof changeGroups)[number]

/** The groups that are counted only with --strict. */
const strictGroups: readonly ChangeGroup[] = [
  'noLongerKnown',
  'newlyCoveredFailing',
  'newWarnings',
  'noLongerCovered',
  'newChecksFailing',
]

/** A check whose verdict changed. If only one run has the check, the other verdict is undefined. */
export interface Change {
  before?: Verdict
  after?: Verdict
}

export interface RunComparison {
  before: SavedRun
  after: SavedRun
  strict: boolean
  groups: Record<ChangeGroup, Change[]>
  /** The number of checks that both runs have, and that are in no group. */
  unchanged: number
  /**
   * If the runs selected different checks: the number of checks that only one of them has. These
   * checks are in no group. Undefined if the runs selected the same checks.
   */
  notCompared: { before: number; after: number } | undefined
  /** The number of changes that make the comparison exit with 1. */
  regressions: number
  /**
   * 3 if one of the runs has no result, otherwise 1 if there is a regression, otherwise 0. A run
   * without a result says nothing about the checks that it did not reach, so 3 has precedence.
   */
  exit: 0 | 1 | 3
}

/**
 * Compares two runs of one server. A check is a regression if its outcome in the first run is pass,
 * warn, observed or stale, and if it fails or is blocked by a failure in the second run. With
 * `strict`, these are also regressions:
 *
 * - new warnings;
 * - checks that are no longer covered;
 * - failures of checks that the first run did not have, did not cover, or reported as known.
 *
 * If the runs selected different checks, only the checks of both runs are compared.
 */
export function compareRuns(before: SavedRun, after: SavedRun, strict = false): RunComparison {
  const groups = Object.fromEntries(
    changeGroups.map((group) => [group, [] as Change[]]),
  ) as RunComparison['groups']
  let unchanged = 0
  const notCompared = haveDifferentSelections(before, after) ? { before: 0, after: 0 } : undefined
  for (const change of pairChecks(before.verdicts, after.verdicts)) {
    if (notCompared !== undefined && (change.before === undefined || change.after === undefined)) {
      notCompared[change.before === undefined ? 'after' : 'before'] += 1
      continue
    }
    const group = groupOf(change)
    if (group === undefined) unchanged += 1
    else groups[group].push(change)
  }
  const counted: ChangeGroup[] = ['newlyFailing', ...(strict ? strictGroups : [])]
  const regressions = counted.reduce((sum, group) => sum + groups[group].length, 0)
  const exit = hasNoResult(before) || hasNoResult(after) ? 3 : regressions > 0 ? 1 : 0
  return { before, after, strict, groups, unchanged, notCompared, regressions, exit }
}

/**
 * Pairs the checks of two runs by their keys. A key contains the title, which can differ between
 * versions. Therefore, if a requirement has one unpaired check in each run, these are paired too.
 */
function pairChecks(before: readonly Verdict[], after: readonly Verdict[]): Change[] {
  const former = new Map(before.map((verdict) => [verdict.key, verdict]))
  const keys = new Set(after.map(({ key }) => key))
  const added = after.filter(({ key }) => !former.has(key))
  const removed = before.filter(({ key }) => !keys.has(key))
  const onlyOne = (verdicts: readonly Verdict[], requirement: string) => {
    const own = verdicts.filter((verdict) => verdict.requirement === requirement)
    return own.length === 1 ? own[0] : undefined
  }
  const renamed = new Map<Verdict, Verdict>()
  for (const verdict of added) {
    const old = onlyOne(removed, verdict.requirement)
    if (old !== undefined && onlyOne(added, verdict.requirement) === verdict)
      renamed.set(verdict, old)
  }
  const matched = new Set(renamed.values())
  return [
    ...after.map((verdict) => {
      const old = former.get(verdict.key) ?? renamed.get(verdict)
      return old === undefined ? { after: verdict } : { before: old, after: verdict }
    }),
    ...removed.filter((verdict) => !matched.has(verdict)).map((verdict) => ({ before: verdict })),
  ]
}

/** The group of a change; undefined if nothing changed. */
function groupOf({ before, after }: Change): ChangeGroup | undefined {
  if (after === undefined) return 'removedChecks'
  if (before === undefined) return stateOf(after) === 'failing' ? 'newChecksFailing' : 'newChecks'
  const then = stateOf(before)
  const now = stateOf(after)
  if (before.verdict === 'blocked' && isStillWithoutResult(before, after)) return undefined
  if (then !== now) return groupOfStates(then, now)
  // A check that was blocked in the first run may have failed then too, so its failure is not new.
  if (before.verdict === 'blocked' && after.verdict === 'fail') return 'newlyCoveredFailing'
  const isObserved = before.verdict === 'observed' && after.verdict === 'observed'
  return isObserved && comparableObservations(before) !== comparableObservations(after)
    ? 'changedBehaviour'
    : undefined
}

/**
 * Whether a check that was blocked still has no result for a reason that is not new. Its root may
 * have become a known failure, or no longer be one: the check of the root shows that.
 */
function isStillWithoutResult(before: Verdict, after: Verdict): boolean {
  const now = stateOf(after)
  if (now === 'undecided' || now === 'not applicable') return true
  return (
    after.verdict === 'blocked' &&
    before.reasonCode === 'root-known' &&
    before.blockedBy === after.blockedBy
  )
}

const isUnknown = (state: State): boolean =>
  state === 'undecided' || state === 'not applicable' || state === 'error'

/** The group of a check whose state changed from `then` to `now`. */
function groupOfStates(then: State, now: State): ChangeGroup | undefined {
  switch (now) {
    case 'failing':
      if (then === 'known') return 'noLongerKnown'
      return isUnknown(then) ? 'newlyCoveredFailing' : 'newlyFailing'
    case 'warning':
    case 'met':
      if (isUnknown(then)) return 'newlyCovered'
      if (then === 'failing' || then === 'known') return 'fixed'
      if (now === 'warning') return 'newWarnings'
      return then === 'warning' ? 'fixed' : undefined
    case 'known':
      return 'newlyKnown'
    case 'stale':
      return 'newlyStale'
    case 'error':
      return 'newErrors'
    case 'undecided':
    case 'not applicable':
      return isUnknown(then) ? undefined : 'noLongerCovered'
  }
}
