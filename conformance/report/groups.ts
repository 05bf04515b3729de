import {
  isUndecided,
  reasonForNoResult,
  type ExpectedFailure,
  type Outcome,
  type Verdict,
} from '../engine/index.ts'
import type { Result } from './result.ts'
import { count } from './explanation.ts'

export interface VerdictGroup {
  title: string
  /** Whether the title is a list of keys to set. Otherwise it is a reason. */
  isNeed: boolean
  /** What to do next, or what is known about the cause. */
  hint?: string
  /** Whether these checks are blocked although the check of the blocking requirement passed. */
  isRootMet?: boolean
  /** Name and description of each key to set. Empty if `hint` describes the only key. */
  keys: string[]
  verdicts: Verdict[]
}

/** Introduces the lines that are suggested for the target file. */
export const proposalsHeading =
  'The tool definitions suggest these lines for the target file (replace each … with a value):'

/** Groups items by topic, in the order in which topics first appear. */
export function byTopic<T extends { contract: string; topic: string }>(
  all: readonly T[],
): { contract: string; topic: string; verdicts: T[] }[] {
  const topics = new Map<string, { contract: string; topic: string; verdicts: T[] }>()
  for (const one of all) {
    const name = `${one.contract} ${one.topic}`
    const found = topics.get(name)
    if (found === undefined)
      topics.set(name, { contract: one.contract, topic: one.topic, verdicts: [one] })
    else found.verdicts.push(one)
  }
  return [...topics.values()]
}

/** Groups verdicts by title, in the order in which titles first appear. */
function grouped(
  verdicts: readonly Verdict[],
  titleOf: (verdict: Verdict) => string,
): VerdictGroup[] {
  const groups = new Map<string, VerdictGroup>()
  for (const verdict of verdicts) {
    const title = titleOf(verdict)
    const group = groups.get(title) ?? { title, isNeed: false, keys: [], verdicts: [] }
    group.verdicts.push(verdict)
    groups.set(title, group)
  }
  return [...groups.values()]
}

/**
 * Groups the verdicts `not covered` by the missing keys of the target file or, if no keys are
 * missing, by the reason.
 */
export function uncovered({
  verdicts,
  describePath,
  nameNeeds,
  isSet,
}: Pick<Result, 'verdicts' | 'describePath' | 'nameNeeds' | 'isSet'>): VerdictGroup[] {
  const open = verdicts.filter(({ verdict }) => verdict === 'not covered')
  // If all keys are set already, one may need another value. Only the reason explains that.
  const hasNeed = ({ needs = [], reasonCode }: Verdict) =>
    needs.length > 0 && (reasonCode !== 'key-helps' || !needs.every(isSet))
  const groups = grouped(open, (verdict) => {
    const { needs = [], reason = 'no reason is given', reasonCode } = verdict
    if (needs.length === 0) return reason
    if (reasonCode !== 'key-helps') return nameNeeds(needs.toSorted())
    // If the check found that keys would help, any of them is enough.
    const names = joinAlternatives(needs.map((path) => nameNeeds([path])))
    return hasNeed(verdict) ? names : `${reason} (see ${names})`
  })
  for (const group of groups) group.isNeed = hasNeed(group.verdicts[0]!)
  const needsOf = ({ isNeed, verdicts: [first] }: VerdictGroup) =>
    isNeed ? (first?.needs ?? []) : []
  const alone = new Set(
    groups.flatMap((group) => (needsOf(group).length === 1 ? needsOf(group) : [])),
  )
  const described = new Set<string>()
  for (const group of groups) {
    const needs = needsOf(group)
    // Each path is described once: in the group that needs only this path, otherwise in the first
    // group that needs the path.
    const paths =
      needs.length === 1 ? needs : needs.filter((path) => !alone.has(path) && !described.has(path))
    for (const path of paths) described.add(path)
    const keys = paths.flatMap((path) => describePath(path))
    if (keys.length === 1 && keys[0]!.name === group.title) group.hint = keys[0]!.description
    else group.keys = keys.map(({ name, description }) => `${name}: ${description}`)
  }
  return groups
}

/** Joins alternatives: "a or b". If one of them has two keys: "either a and b, or c and d". */
const joinAlternatives = (names: readonly string[]): string =>
  names.length > 1 && names.some((name) => name.includes(' and '))
    ? `either ${names.join(', or ')}`
    : names.join(' or ')

/** An entry of the user's list of known failures, with its verdicts. */
export interface ExpectedGroup {
  entry: ExpectedFailure
  verdicts: Verdict[]
}

/** The groups of one outcome, with their heading in reports. */
interface ExpectedSection {
  outcome: 'known' | 'stale'
  heading: string
  groups: ExpectedGroup[]
}

/** Groups known failures, and stale entries, by the user's entries. */
export function byExpectedFailure({ verdicts }: Pick<Result, 'verdicts'>): ExpectedSection[] {
  const sections: ExpectedSection[] = [
    { outcome: 'known', heading: 'Known failures', groups: [] },
    { outcome: 'stale', heading: 'Known failures that no longer fail', groups: [] },
  ]
  for (const { outcome, groups } of sections)
    for (const verdict of verdicts.filter((one) => one.verdict === outcome)) {
      const entry = verdict.expectedFailure!
      const group = groups.find((one) => one.entry.id === entry.id)
      if (group === undefined) groups.push({ entry, verdicts: [verdict] })
      else group.verdicts.push(verdict)
    }
  return sections.filter(({ groups }) => groups.length > 0)
}

/** What to do about a list of known failures with stale entries. */
export function staleAdvice(result: Pick<Result, 'expectedList' | 'verdicts'>): string {
  const stale = byExpectedFailure(result).find(({ outcome }) => outcome === 'stale')
  const [entries, them] = stale?.groups.length === 1 ? ['entry', 'it'] : ['entries', 'them']
  const { file = 'the list', isInTarget = false } = result.expectedList ?? {}
  return isInTarget
    ? `Remove the ${entries} from suite.expected in ${file}.`
    : `Remove the ${entries} from ${file}, or let --write-expected remove ${them}.`
}

/** Groups the verdicts `blocked` by the first requirement that was not met. */
export function blocked({ verdicts }: Pick<Result, 'verdicts'>): VerdictGroup[] {
  const groups = grouped(
    verdicts.filter(({ verdict }) => verdict === 'blocked'),
    ({ blockedBy, reason }) => blockedBy ?? reason ?? 'an unknown cause',
  )
  for (const group of groups) {
    const root = verdicts.find(
      ({ requirement, verdict, blockedBy: by }) =>
        requirement === group.title && verdict !== 'pass' && by !== requirement,
    )
    // The check of an open requirement cannot fail, so its verdict does not show why it blocks
    // others. The reason is then in the verdict of a check that it blocks directly. The code of
    // such a verdict is not `root-failed`.
    const direct = group.verdicts.find(({ reasonCode }) => reasonCode !== 'root-failed')
    group.isRootMet = root === undefined && direct?.reasonCode === 'root-held-alone'
    group.hint =
      root === undefined
        ? (direct?.reason ?? group.verdicts[0]!.reason ?? '')
        : `the check "${root.title}" ${root.verdict === 'fail' ? 'failed' : 'did not pass'}${whyNotMet(root)}`
    if (group.verdicts.every(isBlockedByKnown)) group.hint = `a known failure; ${group.hint}`
    if (group.isRootMet) {
      const isOne = group.verdicts.length === 1
      const hasFailures = verdicts.some(({ verdict }) => verdict === 'fail')
      const advice = hasFailures
        ? `First fix the failures below. If ${isOne ? 'this check is' : 'these checks are'} still blocked afterwards, run`
        : `If the server does not have what ${isOne ? 'this check needs' : 'these checks need'}, list ${isOne ? 'its requirement' : 'their requirements'} in suite.absent. Otherwise run`
      group.hint += `. ${advice} ${isOne ? 'it' : 'one of them'} with --only ${direct!.requirement} --exchanges all, and read its requests in the report folder.`
    }
  }
  return groups
}

/** At most this many characters say why a requirement is not met. */
const maxWhy = 120

/** Why a requirement is not met, in a few words: what was received, or the reason. */
function whyNotMet({ expectations, reason }: Verdict): string {
  const received = expectations.find(({ held }) => !held)?.received ?? reason
  if (received === undefined || received === '') return ''
  const [line = ''] = received.split('\n')
  return `: ${line.length > maxWhy ? `${line.slice(0, maxWhy)}…` : line}`
}

/** The lines that explain the title of a group. */
export const hintsOf = ({ hint, keys }: VerdictGroup): string[] =>
  hint === undefined ? keys : [hint, ...keys]

/** The requirement ids of a group, each once. A long list is cut. */
export function idsOf({ verdicts }: { verdicts: readonly Verdict[] }, most = 6): string {
  const ids = [...new Set(verdicts.map(({ requirement }) => requirement))]
  return ids.length > most
    ? `${ids.slice(0, most).join(' ')} and ${count(ids.length - most, 'more requirement')}`
    : ids.join(' ')
}

/** The number of different requirements of these verdicts. */
export const requirementsOf = (verdicts: readonly Verdict[]): number =>
  new Set(verdicts.map(({ requirement }) => requirement)).size

/** Whether options selected a part of the checks. */
export const isPartial = ({
  selected = [],
  skipped = [],
}: Pick<Result, 'selected' | 'skipped'>): boolean => selected.length + skipped.length > 0

const isBlockedByKnown = ({ reasonCode }: Verdict): boolean => reasonCode === 'root-known'

/**
 * Says that requirements of the level `must` have no result, such as "1 requirement not covered".
 * `open` are the verdicts of their checks.
 */
export const describeOpen = (open: readonly Verdict[]): string =>
  `${count(requirementsOf(open), 'requirement')} ${open.every(isBlockedByKnown) ? 'blocked by a known failure' : 'not covered'}`

/** The outcomes of checks that say whether a requirement is met. */
const judgedOutcomes: readonly Outcome[] = ['pass', 'fail', 'warn', 'known', 'stale', 'error']

/**
 * Why no check says whether a requirement is met, although the target could be judged; undefined if
 * some do. `checks` names the checks of the run, such as "check" or "selected check".
 */
export function reasonForNoJudgement(
  verdicts: readonly Verdict[],
  checks: string,
): string | undefined {
  const has = (outcome: Outcome) => verdicts.some(({ verdict }) => verdict === outcome)
  if (judgedOutcomes.some(has)) return undefined
  const blocks = verdicts.filter(({ verdict }) => verdict === 'blocked')
  if (blocks.length > 0)
    return `nothing was judged: ${blocks.every(isBlockedByKnown) ? 'a known failure blocks the checks' : 'a basic operation does not work'}`
  if (has('observed')) return `nothing was judged: the ${checks}s only observe choices`
  return `nothing was judged: no ${checks} applies to this server`
}

type Concluded = Pick<Result, 'exit' | 'verdicts' | 'selected' | 'skipped'>

/**
 * Describes the exit status in words. If only a part of the checks was selected, a result without a
 * failure says so.
 */
export function meaningOf(result: Concluded): string {
  const isLimited = isPartial(result) && (result.exit === 0 || result.exit === 2)
  return nothingJudged(result) ?? `${isLimited ? 'selected checks: ' : ''}${meaningOfExit(result)}`
}

/** The color of `meaningOf`, as an outcome. Without a judgement, it must not look like a pass. */
export function toneOf(result: Concluded): 'pass' | 'warn' | 'fail' {
  if (result.exit !== 0) return 'fail'
  return nothingJudged(result) === undefined ? 'pass' : 'warn'
}

const nothingJudged = (result: Concluded): string | undefined =>
  result.exit === 0 && !hasOpenMust(result)
    ? reasonForNoJudgement(result.verdicts, isPartial(result) ? 'selected check' : 'check')
    : undefined

/** Whether a `must` has no result. */
const hasOpenMust = ({ verdicts }: Concluded): boolean =>
  verdicts.some((verdict) => verdict.level === 'must' && isUndecided(verdict))

function meaningOfExit({ exit, verdicts }: Concluded): string {
  const known = requirementsOf(verdicts.filter(({ verdict }) => verdict === 'known'))
  const stale =
    byExpectedFailure({ verdicts }).find(({ outcome }) => outcome === 'stale')?.groups.length ?? 0
  const except = known > 0 ? `, except for ${count(known, 'known failure')}` : ''
  const undecided = verdicts.filter((verdict) => verdict.level === 'must' && isUndecided(verdict))
  // A known failure is accepted, and so are the checks that it blocks.
  const uncovered = undecided.filter((verdict) => !isBlockedByKnown(verdict))
  const open = requirementsOf(undecided)
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail')
  const broken = requirementsOf(failed)
  switch (exit) {
    case 0:
      return open > 0
        ? `no violation found${except}, but ${describeOpen(undecided)}`
        : `conformant${except}`
    case 1:
      if (broken === 0 && stale > 0)
        return `the list of known failures is out of date: ${stale === 1 ? '1 entry no longer fails' : `${stale} entries no longer fail`}`
      return broken > 0
        ? `not conformant: ${count(broken, 'requirement')} not met${failed.length === broken ? '' : ` (${failed.length} checks failed)`}`
        : 'not conformant: the checks could not run, because a basic operation does not work'
    case 2:
      return `no requirement is violated, but --strict requires all to be covered: ${describeOpen(uncovered)}; set ${requirementsOf(uncovered) === 1 ? 'its' : 'their'} keys, or list in suite.absent what the server does not have`
    case 3:
      return `no result: ${reasonForNoResult(verdicts) ?? 'the suite itself failed'}`
    case 130:
      return 'cancelled'
  }
}
