import type { Change, ChangeGroup, RunComparison } from '../../../conformance/compare/changes.ts'
import { hasNoResult, selectionOf, type SavedRun } from '../../../conformance/compare/saved-run.ts'
import { showHidden, type Outcome, type Verdict } from '../../../conformance/engine/index.ts'
import { briefOf, count, symbols, words } from '../../../conformance/report/explanation.ts'
import { idsOf, meaningOf, toneOf, type VerdictGroup } from '../../../conformance/report/groups.ts'
import { Screen, type Out } from '../../../conformance/report/screen.ts'
import { paint } from '../../../conformance/report/topics.ts'

/** How a group is printed: its color, its heading, and whether it lists each check. */
interface Section {
  readonly outcome: Outcome
  readonly heading: string
  readonly isListed: boolean
  /** Explains the group. */
  readonly note?: string
}

/**
 * Prints two runs of one server: what changed, and whether that is a regression. If `showsExit` is
 * false, prints the result of the second run instead of the exit status of the comparison, so that
 * the last line does not look like success if the second run failed.
 */
export function printComparison(
  comparison: RunComparison,
  { verbose = false, showsExit = true, out = process.stdout as Out } = {},
): void {
  const { before, after, groups, unchanged } = comparison
  const screen = new Screen(out)
  const { color } = screen
  printRun(screen, 'before', before)
  printRun(screen, 'after', after)
  if (isOtherVersion(comparison))
    screen.line(
      color.dim(
        screen.wrap(
          `Touchstone ${after.suite.version} may detect more than ${before.suite.version}: a check that is newly failing can show a violation that the server already had.`,
          0,
        ),
      ),
    )
  const notice = describeSelections(comparison)
  if (notice !== undefined) screen.line(`\n${screen.wrap(notice, 0)}`)
  const sections = sectionsOf(comparison)
  // Failures come last, so that they are still on the screen when the command ends.
  for (const [group, section] of Object.entries(sections).reverse() as [ChangeGroup, Section][])
    printSection(screen, groups[group], section, verbose)
  screen.line()
  screen.line(`${count(unchanged, 'check')} unchanged`)
  printResult(screen, comparison, showsExit)
}

/** Says what is not compared if the runs selected different checks. */
function describeSelections({ before, after, notCompared }: RunComparison): string | undefined {
  if (notCompared === undefined || notCompared.before + notCompared.after === 0) return undefined
  const described = (run: SavedRun) => selectionOf(run) || 'all checks'
  return `The runs selected different checks: before, ${described(before)}; after, ${described(after)}. Only the checks that both selected are compared. Not compared: ${count(notCompared.before, 'check')} of the first run, ${notCompared.after} of the second.`
}

const isOtherVersion = ({ before, after }: RunComparison): boolean =>
  before.suite.version !== after.suite.version

function sectionsOf(comparison: RunComparison): Record<ChangeGroup, Section> {
  const { before, after } = comparison
  const isUpdate = isOtherVersion(comparison)
  const added = isUpdate
    ? `New checks of Touchstone ${after.suite.version}`
    : 'Checks that only the second run has'
  const because = isUpdate
    ? `Touchstone ${before.suite.version} did not test this. A failure is not a regression: your server did not change.`
    : 'The first run did not test this, so a failure is not a regression.'
  return {
    newlyFailing: { outcome: 'fail', heading: 'Newly failing', isListed: true },
    newErrors: { outcome: 'error', heading: 'New errors of the suite itself', isListed: true },
    noLongerKnown: {
      outcome: 'fail',
      heading: 'Failing, and no longer known',
      isListed: true,
      note: 'Not met before either, but then known: your server did not change.',
    },
    newlyCoveredFailing: {
      outcome: 'fail',
      heading: 'Newly covered, and failing',
      isListed: true,
      note: 'The first run could not check this.',
    },
    newWarnings: { outcome: 'warn', heading: 'New warnings', isListed: true },
    newlyKnown: { outcome: 'known', heading: 'Newly known failures', isListed: true },
    newlyStale: { outcome: 'stale', heading: 'Known failures that no longer fail', isListed: true },
    noLongerCovered: { outcome: 'not covered', heading: 'No longer covered', isListed: true },
    changedBehaviour: {
      outcome: 'observed',
      heading: 'Changed behaviour, where the contract leaves a choice',
      isListed: true,
    },
    fixed: { outcome: 'pass', heading: 'Fixed', isListed: true },
    newlyCovered: { outcome: 'pass', heading: 'Newly covered', isListed: false },
    newChecksFailing: {
      outcome: 'fail',
      heading: `${added}, failing`,
      isListed: true,
      note: because,
    },
    newChecks: { outcome: 'pass', heading: added, isListed: false },
    removedChecks: {
      outcome: 'not covered',
      heading: isUpdate
        ? `Checks that Touchstone ${after.suite.version} no longer has`
        : 'Checks that only the first run has',
      isListed: false,
    },
  }
}

function printRun(screen: Screen, label: string, run: SavedRun): void {
  const { color } = screen
  const moment = run.startedAt.slice(0, 16).replace('T', ' ')
  const what = `${run.name}  ${color.dim(`${run.suite.name} ${run.suite.version}, ${moment} UTC`)}`
  screen.line(`${color.bold(label.padEnd(6))}  ${what}`)
  screen.line(`        ${paint[toneOf(run)](color)(screen.wrap(meaningOf(run), 8))}`)
}

function printSection(
  screen: Screen,
  changes: readonly Change[],
  { outcome, heading, isListed, note }: Section,
  verbose: boolean,
): void {
  if (changes.length === 0) return
  const { color } = screen
  screen.line(`\n${paint[outcome](color)(color.bold(heading))} (${changes.length})`)
  if (note !== undefined) screen.line(color.dim(`  ${screen.wrap(note, 2)}`))
  if (!isListed && !verbose) {
    printIds(screen, changes)
    return
  }
  if (verbose) {
    for (const change of changes) printChange(screen, change)
    return
  }
  // Checks that have no result for the same reason are one entry, as in a report.
  const isDecided = ({ after }: Change) =>
    after === undefined || !['blocked', 'not covered', 'not applicable'].includes(after.verdict)
  for (const change of changes.filter(isDecided)) printChange(screen, change)
  const rest = changes.filter((change) => !isDecided(change)).map(({ after: verdict }) => verdict!)
  const reasonOf = ({ verdict, blockedBy, reason }: Verdict) =>
    blockedBy === undefined ? `${words[verdict]}: ${reason ?? ''}` : `blocked by ${blockedBy}`
  for (const reason of new Set(rest.map(reasonOf)))
    printGroup(
      screen,
      reason,
      rest.filter((verdict) => reasonOf(verdict) === reason),
    )
}

function printGroup(screen: Screen, reason: string, verdicts: readonly Verdict[]): void {
  const { color } = screen
  const { verdict } = verdicts[0]!
  const text = `${count(verdicts.length, 'check')} ${reason}`
  screen.line(`  ${paint[verdict](color)(symbols[verdict])} ${screen.wrap(text, 4)}`)
  screen.line(color.dim(`    ${screen.wrap(idsOf(groupFor(verdicts), 12), 4)}`))
}

const groupFor = (verdicts: readonly Verdict[]): VerdictGroup => ({
  title: '',
  isNeed: false,
  keys: [],
  verdicts: [...verdicts],
})

function printIds(screen: Screen, changes: readonly Change[]): void {
  const verdicts = changes.map(({ before, after }) => (after ?? before)!)
  screen.line(`  ${screen.wrap(idsOf(groupFor(verdicts), 12), 2)}`)
}

function printChange(screen: Screen, { before, after }: Change): void {
  const { color } = screen
  const { requirement, title, verdict } = (after ?? before)!
  const mark = paint[verdict](color)(symbols[verdict])
  screen.line(`  ${mark} ${requirement}  ${screen.wrap(showHidden(title), requirement.length + 6)}`)
  const detail = (label: string, text: string) =>
    screen.line(`      ${color.dim(label.padEnd(6))}  ${screen.wrap(text, 14)}`)
  if (before !== undefined) detail('before', describeVerdict(before, after))
  if (after !== undefined) detail('after', describeVerdict(after, before))
}

/**
 * Describes the outcome, and adds the failed expectation, the reason, or the observations that the
 * other run does not have.
 */
function describeVerdict(verdict: Verdict, other: Verdict | undefined): string {
  const { verdict: outcome, observations = [] } = verdict
  if (outcome === 'observed')
    return (
      observations.filter((one) => !other?.observations?.includes(one)).join('\n') || 'not observed'
    )
  const brief = ['pass', 'known'].includes(outcome) ? '' : briefOf(verdict)
  const word = outcome === 'warn' ? 'warning' : words[outcome]
  return brief === '' ? word : `${word}: ${brief}`
}

function printResult(screen: Screen, comparison: RunComparison, showsExit: boolean): void {
  const { color } = screen
  const { after, exit } = comparison
  const isFailed = !showsExit && after.exit !== 0
  const meaning =
    exit === 0
      ? `no regression${isFailed ? `, but ${meaningOf(after)}` : ''}`
      : describeRegression(comparison)
  screen.line(
    `${(exit === 0 && !isFailed ? color.green : color.red)(color.bold(screen.wrap(meaning, 0)))}${showsExit ? color.dim(`  exit ${exit}`) : ''}`,
  )
}

/** Why the exit status of a comparison is not 0. */
export function describeRegression(comparison: RunComparison): string {
  const { before, after, regressions, exit, groups, strict } = comparison
  if (exit === 3) {
    const without = [before, after].filter(hasNoResult).map(({ name }) => name)
    return `no result: ${without.join(' and ')} did not finish`
  }
  if (strict)
    return `${count(regressions, 'check')} got worse, or failed where the first run has no result`
  const broken = new Set(groups.newlyFailing.map(({ after: now }) => now!.requirement)).size
  return `regression: ${count(broken, 'requirement')} newly failing (${count(regressions, 'check')})`
}
