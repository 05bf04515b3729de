import {
  outcomes,
  shorten,
  totalsOf,
  type Outcome,
  type PendingWait,
  type Totals,
  type Verdict,
  showHidden,
} from '../engine/index.ts'
import {
  blocked,
  byExpectedFailure,
  idsOf,
  meaningOf,
  proposalsHeading,
  requirementsOf,
  staleAdvice,
  toneOf,
  uncovered,
  type VerdictGroup,
} from './groups.ts'
import { profilesOf } from './profiles.ts'
import type { Reporter, Result } from './result.ts'
import { nearPath, Screen, type Out } from './screen.ts'
import { count, describeExpected, explanationOf, symbols, words } from './explanation.ts'
import { absenceLines, absencesHeading, unusedAbsentWarning } from './absences.ts'
import { paint, Topics } from './topics.ts'

/** Maximum number of printed lines about what is left on the server. */
const maxLeft = 10

/** Milliseconds between updates of the progress line while no verdict arrives. */
const progressIntervalMs = 200

/**
 * The progress names what the run waits for after this many milliseconds without a request or
 * verdict: on a terminal, and without one, where each line stays.
 */
const quietMs = { terminal: 1500, log: 5000 } as const

interface ConsoleOptions {
  verbose?: boolean
  summaryOnly?: boolean
  /** As in `ReportOptions`. */
  currentWait?: () => PendingWait | undefined
}

/** The console report: topics as they are completed, then all failures in full. */
export function consoleReporter(
  out: Out = process.stdout,
  { verbose = false, summaryOnly = false, currentWait = () => undefined }: ConsoleOptions = {},
): Reporter {
  const screen = new Screen(out)
  const { color } = screen
  const arrived: Verdict[] = []
  let topics: Topics | undefined
  let planned = 0
  let timer: NodeJS.Timeout | undefined

  let exchanges = 0
  let isCancelled = false
  /** When the last request or verdict was reported. */
  let movedAt = performance.now()
  const printedWaits = new Set<string>()

  const progress = () => {
    if (isCancelled) return
    const wait =
      performance.now() - movedAt < quietMs[screen.live ? 'terminal' : 'log']
        ? undefined
        : currentWait()
    const checks = `${arrived.length} of ${count(planned, 'check')}`
    if (screen.live)
      screen.progress(
        wait === undefined
          ? `${checks}, ${count(exchanges, 'request')}  ${countsOf(totalsOf(arrived))}`
          : `${checks}, waiting up to ${describeWait(wait, wait.leftMs)}`,
      )
    else if (wait !== undefined && !printedWaits.has(wait.purpose)) {
      printedWaits.add(wait.purpose)
      screen.line(`waiting up to ${describeWait(wait, wait.limitMs)}`)
    }
  }

  return {
    start(head) {
      if (summaryOnly) return
      planned = head.planned.length
      topics = new Topics(screen, head, { verbose })
      const { name, version } = head.suite
      const tested = screen.wrap(`${version} tests ${head.targetName}`, name.length + 1)
      screen.line(`${color.bold(name)} ${tested}`)
      const strict = head.strict
        ? '; strict: exits with 2 if a requirement of level "must" is not covered'
        : ''
      screen.line(color.dim(`${count(planned, 'check')}${strict}`))
      for (const line of legend) screen.line(color.dim(screen.wrap(line, 0)))
      screen.line()
      timer = setInterval(progress, progressIntervalMs).unref()
    },
    exchange(total) {
      exchanges = total
      movedAt = performance.now()
    },
    cancel() {
      isCancelled = true
      clearInterval(timer)
      screen.clear()
    },
    verdict(verdict) {
      if (summaryOnly) return
      arrived.push(verdict)
      movedAt = performance.now()
      topics?.add(verdict)
      progress()
    },
    end(result, files) {
      clearInterval(timer)
      topics?.finish()
      if (result.firstFailure !== undefined && result.exit !== 130) {
        printFirstFailure(screen, result, result.firstFailure)
        printClosing(screen, result, files)
        return
      }
      // Failures come last, so that they are still on the screen when the run ends.
      if (result.exit !== 130) {
        printObservations(screen, result, verbose)
        printUncoveredChecks(screen, result, verbose)
      } else printCancelledChecks(screen, result)
      printExpectedFailures(screen, result)
      printExplanations(screen, result, 'warn')
      if (result.exit !== 130) printBlockedChecks(screen, result)
      if (!summaryOnly)
        for (const verdict of ['error', 'fail'] as const) printExplanations(screen, result, verdict)
      printClosing(screen, result, files)
    },
  }
}

/** Longer descriptions of what a run waits for are shortened, in characters. */
const maxPurpose = 60

const describeWait = ({ purpose }: PendingWait, milliseconds: number): string =>
  `${Math.ceil(milliseconds / 1000)} s for ${showHidden(shorten(purpose, maxPurpose))}`

/** With --bail, prints only the failure that ended the run, and names the others. */
function printFirstFailure(screen: Screen, result: Result, key: string): void {
  const { verdicts } = result
  const isFirst = (verdict: Verdict) => verdict.key === key
  for (const outcome of ['error', 'fail'] as const)
    printExplanations(
      screen,
      { ...result, verdicts: verdicts.filter((one) => outcome === 'error' || isFirst(one)) },
      outcome,
    )
  const others = verdicts.filter((one) => one.verdict === 'fail' && !isFirst(one))
  if (others.length === 0) return
  const ids = idsOf({ verdicts: others })
  const text = `${count(others.length, 'other check')} failed before the run ended: ${ids}. The report files explain ${others.length === 1 ? 'it' : 'them'}.`
  screen.line(`\n${screen.wrap(text, 0)}`)
}

/** Explains every symbol. */
const legend = [
  `${symbols.pass} passed, ${symbols.fail} failed, ${symbols.warn} warning, ${symbols.observed} observed (the contract leaves a choice),`,
  `${symbols.blocked} blocked (a prerequisite failed), ${symbols['not covered']} not covered, ${symbols['not applicable']} not applicable, ${symbols.error} error of the suite`,
]

const headings: Partial<Record<Outcome, string>> = {
  fail: 'Failures',
  error: 'Errors of the suite itself',
  warn: 'Warnings',
}

function printExplanations(screen: Screen, result: Result, outcome: Outcome): void {
  const { color } = screen
  const { verdicts, repeat, exchangesFolder } = result
  const own = verdicts.filter(({ verdict }) => verdict === outcome)
  if (own.length === 0) return
  screen.line(`\n${paint[outcome](color)(color.bold(headings[outcome] ?? outcome))}`)
  for (const verdict of own) {
    const start = `${symbols[outcome]} ${verdict.requirement}`
    const title = screen.wrap(verdict.title, start.length + 2)
    screen.line(`\n${paint[outcome](color)(start)}  ${color.bold(title)}`)
    for (const [label, text] of explanationOf(verdict, repeat, exchangesFolder)) {
      // A command line stays unwrapped and complete, so that it can be copied.
      const shown =
        label === 'repeat' || label === 'or' || label === 'see'
          ? text
          : screen.wrap(withShortWords(text), 14)
      screen.line(`    ${color.dim(label.padEnd(9))} ${shown}`)
    }
  }
  if (outcome === 'fail') {
    const hint = commonCause(result)
    if (hint !== undefined) screen.line(`\n${screen.wrap(hint, 0)}`)
  }
}

/**
 * A longer word, such as a URL with a random value of the suite, is shortened in the middle. Its
 * first and last characters remain.
 */
const maxWord = { characters: 200, first: 100, last: 40 } as const

const withShortWords = (text: string): string =>
  text.replace(/\S+/g, (word) =>
    word.length <= maxWord.characters
      ? word
      : `${word.slice(0, maxWord.first)}…(${word.length - maxWord.first - maxWord.last} characters)…${word.slice(-maxWord.last)}`,
  )

/** Prints one entry for each known failure, and for each stale entry. */
function printExpectedFailures(screen: Screen, result: Result): void {
  const { color } = screen
  for (const { outcome, heading, groups } of byExpectedFailure(result)) {
    screen.line(`\n${paint[outcome](color)(color.bold(heading))}`)
    for (const { entry, verdicts } of groups) {
      const text = `${entry.id}  ${count(verdicts.length, 'check')}: ${describeExpected('known', entry)}`
      screen.line(`  ${paint[outcome](color)(symbols[outcome])} ${screen.wrap(text, 4)}`)
    }
    if (outcome === 'stale') screen.line(color.dim(`  ${screen.wrap(staleAdvice(result), 2)}`))
  }
}

/** A common cause is reported only for at least this many failures. */
const minCommon = 10

/**
 * Returns a hint if most failures probably have one cause: the target is a mock that stores
 * nothing, and the target file does not declare that.
 */
function commonCause({ verdicts, planned }: Result): string | undefined {
  const needsOf = new Map(planned.map(({ key, needs = [] }) => [key, needs]))
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail')
  for (const key of ['images.state', 'hooks.state']) {
    const needsKey = (verdict: Verdict) => needsOf.get(verdict.key)?.includes(key) === true
    // The server stores data.
    if (verdicts.some((verdict) => verdict.verdict === 'pass' && needsKey(verdict))) continue
    const affected = failed.filter(needsKey)
    if (affected.length >= minCommon && affected.length * 3 >= failed.length * 2)
      return `${affected.length === failed.length ? `All ${failed.length}` : `${affected.length} of the ${failed.length}`} failures come from checks that need a server that stores data. If the target is a mock that stores nothing, set ${key}: false.`
  }
  return undefined
}

/** Prints one entry for each cause of blocked checks. */
function printBlockedChecks(screen: Screen, result: Result): void {
  const groups = blocked(result)
  printHeading(screen, 'blocked', 'Blocked', groups)
  for (const group of groups)
    printCause(
      screen,
      'blocked',
      group,
      group.isRootMet ? ' blocked' : ` blocked by ${group.title}`,
    )
  if (groups.some(({ isRootMet }) => isRootMet !== true))
    screen.line(
      screen.color.dim(
        `  ${screen.wrap('First meet the requirements that block these checks. Then --failed runs the checks again.', 2)}`,
      ),
    )
}

/**
 * Prints why checks are not covered: in one line, or with `verbose` in one entry for each cause.
 */
function printUncoveredChecks(screen: Screen, result: Result, verbose: boolean): void {
  const { color } = screen
  const groups = uncovered({
    ...result,
    verdicts: result.verdicts.filter(({ reasonCode }) => reasonCode !== 'cancelled'),
  })
  if (groups.length > 0 && !verbose)
    screen.line(`\n${color.dim(screen.wrap(summaryOfUncovered(groups), 0))}`)
  if (verbose) {
    printHeading(screen, 'not covered', 'Not covered', groups)
    for (const group of groups) {
      const need = group.verdicts.length === 1 ? 'needs' : 'need'
      const why = group.isNeed ? ` ${need} ${group.title}` : `, because ${group.title}`
      printCause(screen, 'not covered', group, why)
    }
    if (groups.some(({ isNeed }) => isNeed))
      screen.line(
        color.dim(
          `  ${screen.wrap(`Set the missing keys as options ("npx touchstone test --help ${sectionNeeding(groups)}" lists them), or in a target file.`, 2)}`,
        ),
      )
  }
  printAbsences(screen, result, verbose)
  printProposals(screen, result)
}

/** Without --verbose, at most this many entries are suggested for `suite.absent`. */
const maxAbsences = 8

/**
 * Prints lines for `suite.absent`, unwrapped, so that users can copy them. Without `verbose`, only
 * if the run is strict: otherwise checks that are not covered have no consequences.
 */
function printAbsences(screen: Screen, result: Result, verbose: boolean): void {
  if (!verbose && !result.strict) return
  const lines = absenceLines(result, verbose ? undefined : maxAbsences)
  if (lines.length === 0) return
  screen.line(`${verbose ? '' : '\n'}  ${screen.wrap(absencesHeading, 2)}`)
  for (const line of lines) screen.line(`    ${line}`)
}

/** The section of the target file of the first missing key, for `test --help`. */
const sectionNeeding = (groups: readonly VerdictGroup[]): string =>
  groups.find(({ isNeed }) => isNeed)?.verdicts[0]?.needs?.[0]?.split('.')[0] ?? 'all'

/** Prints that the run ended after the first failure, and how many checks have no result. */
function printEarlyEnd(screen: Screen, { verdicts }: Result): void {
  const open = verdicts.filter(({ reasonCode }) => reasonCode === 'cancelled').length
  if (open > 0)
    screen.line(
      `\n${screen.wrap(`The run ended after the first failure (--bail): ${count(open, 'check')} ${open === 1 ? 'has' : 'have'} no result.`, 0)}`,
    )
}

/** Prints how many checks are not covered because the run was cancelled. */
function printCancelledChecks(screen: Screen, { verdicts }: Result): void {
  const open = verdicts.filter(({ verdict }) => verdict === 'not covered')
  const cancelled = open.filter(({ reasonCode }) => reasonCode === 'cancelled').length
  if (cancelled === 0) return
  const text = `${count(open.length, 'check')} not covered${
    cancelled === open.length
      ? ', because the run was cancelled.'
      : `: ${cancelled} because the run was cancelled; the report files give the ${open.length - cancelled === 1 ? 'reason for the other' : 'reasons for the others'}.`
  }`
  screen.line(`\n${screen.color.dim(screen.wrap(text, 0))}`)
}

/** At most this many reasons are named, each with at least `minNamed` checks. */
const maxReasons = 2
const minNamed = 5

/** At most this many keys are named, or one more if it is the only one left. Others are counted. */
const maxKeys = 5

/** Summarizes the uncovered checks: how many need which keys. */
function summaryOfUncovered(groups: readonly VerdictGroup[]): string {
  const countChecks = (own: readonly VerdictGroup[]) =>
    own.reduce((sum, { verdicts }) => sum + verdicts.length, 0)
  const withNeeds = groups
    .filter(({ isNeed }) => isNeed)
    .toSorted((one, other) => other.verdicts.length - one.verdicts.length)
  const named = withNeeds.length <= maxKeys + 1 ? withNeeds : withNeeds.slice(0, maxKeys)
  const rest = withNeeds.slice(named.length)
  const needs = [
    ...named.map(({ verdicts: [first, ...more] }) => {
      const { needs: paths = [], reasonCode } = first!
      return `${paths.join(reasonCode === 'key-helps' ? ' or ' : ' + ')} (${1 + more.length})`
    }),
    ...(rest.length === 0
      ? []
      : [`${rest.length} other keys or combinations (${countChecks(rest)})`]),
  ]
  const others = countChecks(groups.filter(({ isNeed }) => !isNeed))
  const common = groups
    .filter(({ isNeed, verdicts }) => !isNeed && verdicts.length >= minNamed)
    .toSorted((one, other) => other.verdicts.length - one.verdicts.length)
    .slice(0, maxReasons)
  return [
    `${count(countChecks(groups), 'check')} not covered.`,
    ...(needs.length === 0
      ? []
      : [`Missing keys, with the number of checks: ${needs.join(', ')}.`]),
    ...(needs.length === 0 || others === 0 ? [] : [`${count(others, 'check')} for other reasons.`]),
    ...common.map(({ title, verdicts }) => `${count(verdicts.length, 'check')}: ${title}.`),
    `--verbose explains ${countChecks(groups) === 1 ? 'it' : 'them'}.`,
  ].join(' ')
}

function printHeading(
  screen: Screen,
  outcome: Outcome,
  text: string,
  groups: readonly VerdictGroup[],
): void {
  const { color } = screen
  if (groups.length > 0) screen.line(`\n${paint[outcome](color)(color.bold(text))}`)
}

/** Prints one cause of several verdicts: the number of checks, then `why`. */
function printCause(screen: Screen, outcome: Outcome, group: VerdictGroup, why: string): void {
  const { color } = screen
  const number = group.verdicts.length
  const total = requirementsOf(group.verdicts)
  const checks = `${count(number, 'check')}${total === number ? '' : ` of ${count(total, 'requirement')}`}`
  const hint = group.hint === undefined ? '' : `: ${group.hint}`
  screen.line(
    `  ${paint[outcome](color)(symbols[outcome])} ${screen.wrap(`${checks}${why}${hint}`, 4)}`,
  )
  for (const key of group.keys) screen.line(`    ${screen.wrap(key, 4)}`)
  screen.line(color.dim(`    ${screen.wrap(idsOf(group), 4)}`))
}

/** Prints the lines suggested for the target file, unwrapped, so that users can copy them. */
function printProposals(screen: Screen, { proposals: lines }: Result): void {
  if (lines.length === 0) return
  screen.line(`  ${screen.wrap(proposalsHeading, 2)}`)
  for (const line of lines) screen.line(`    ${showHidden(line)}`)
}

function printObservations(screen: Screen, { verdicts }: Result, verbose: boolean): void {
  const open = verdicts.filter(({ verdict }) => verdict === 'observed')
  if (open.length === 0 || verbose) return
  const text = `${open.length} observed: the contract leaves a choice; --verbose shows what the server does`
  screen.line(screen.color.dim(`\n${screen.wrap(text, 0)}`))
}

function printClosing(screen: Screen, result: Result, files: readonly string[]): void {
  const { color } = screen
  if (result.left.length > 0) {
    const heading = color.yellow(color.bold('Left on the server'))
    screen.line(`\n${heading}: what the suite could not delete or restore`)
    for (const line of result.left.slice(0, maxLeft)) screen.line(`  ${screen.wrap(line, 2)}`)
    const more = result.left.length - maxLeft
    if (more > 0) screen.line(color.dim(`  and ${more} more, in the report files`))
  }
  for (const crash of result.crashes)
    screen.line(`\n${color.red(`${symbols.error} the suite itself`)}  ${screen.wrap(crash, 2)}`)
  const unused = unusedAbsentWarning(result)
  if (unused !== undefined)
    screen.line(`\n${paint.warn(color)(symbols.warn)} ${screen.wrap(unused, 2)}`)
  if (result.exit !== 130) printEarlyEnd(screen, result)
  const { skipped = [] } = result
  if (skipped.length > 0)
    screen.line(`\n${screen.wrap(`Skipped, because of --skip: ${skipped.join(', ')}`, 0)}`)
  const unrepeated = result.earlierFailures ?? []
  if (unrepeated.length > 0)
    screen.line(
      `\n${screen.wrap(`Checks of earlier runs without a new result: ${countsOf(totalsOf(unrepeated))}. --failed runs them again.`, 0)}`,
    )
  screen.line()
  screen.line(`${countsOf(result.totals, color)} in ${(result.durationMs / 1000).toFixed(1)} s`)
  const profiles = profilesOf(result)
  for (const { title, meaning, totals } of profiles) {
    const isJudged = totals.pass + totals.warn + totals.known > 0
    const tone = totals.fail > 0 ? 'fail' : isJudged ? 'pass' : 'warn'
    screen.line(`${title}: ${paint[tone](color)(meaning)}`)
  }
  if (profiles.some(({ profile, totals }) => profile === 'conventions' && totals.fail > 0))
    screen.line(color.dim('--profile mcp tests the protocol without the conventions'))
  screen.line(
    `${paint[toneOf(result)](color)(color.bold(meaningOf(result)))}${color.dim(`  exit ${result.exit}`)}`,
  )
  if (result.totals.fail + result.totals.warn > 0)
    screen.line(
      color.dim(`seed: ${result.seed}; --suite-seed ${result.seed} repeats the same random values`),
    )
  if (files.length > 0) screen.line(color.dim(`report: ${screen.wrap(listFiles(files), 8)}`))
}

/** Formats totals: "12 passed, 1 failed"; in color if a palette is given. */
function countsOf(totals: Totals, color?: Screen['color']): string {
  const present = outcomes.filter((outcome) => totals[outcome] > 0)
  const texts = present.map((outcome) => {
    const text = `${totals[outcome]} ${words[outcome]}`
    return color === undefined ? text : paint[outcome](color)(text)
  })
  return texts.length === 0 ? 'nothing yet' : texts.join(', ')
}

function listFiles(files: readonly string[]): string {
  const near = files.map(nearPath)
  const exchanges = near.filter((file) => /[\\/]exchanges[\\/]/.test(file))
  const others = near.filter((file) => !exchanges.includes(file))
  if (exchanges.length > 0)
    others.push(`${exchanges[0]!.replace(/[^\\/]+$/, '')} (${count(exchanges.length, 'file')})`)
  return others.join(', ')
}
