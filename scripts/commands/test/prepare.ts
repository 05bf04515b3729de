import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  commandsOf,
  defaultReporters,
  jsonOf,
  makeFolder,
  openReport,
  type Head,
  type Repeat,
  type Report,
  type ReportOptions,
  type ReporterName,
  type Result,
} from '../../../conformance/report/index.ts'
import {
  ExpectedFailures,
  newSeed,
  type ExpectedFailure,
  type Verdict,
  printableJson,
} from '../../../conformance/engine/index.ts'
import {
  dayOf,
  loadExpectedFailures,
  selectForKnown,
  updateExpected,
} from '../../../conformance/known-failures.ts'
import { writeExpectedFile } from '../../../conformance/target-file/index.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import { JournalFile, journalName, readJournal } from '../../../conformance/journal-file.ts'
import {
  loadRepeatedSenders,
  plan,
  sectionsOf,
  type Selection,
} from '../../../conformance/suite.ts'
import {
  describePath,
  findMissingKeys,
  nameNeeds,
  publicTarget,
  secretsOf,
  type Target,
} from '../../../conformance/target.ts'
import type { PreflightOptions } from '../../../conformance/preflight.ts'
import { smallPng } from '../../../conformance/wire/fakes/image.ts'
import { newRedactor } from '../../../conformance/wire/secrets.ts'
import { UsageError } from '../../print-error.ts'
import { version } from '../../package.ts'
import { shellWord } from '../../../conformance/wire/shell.ts'
import { failuresOfLastReport, readLastReport } from './last-report.ts'
import { findTarget, namedTarget, type RunTarget } from './find-target.ts'
import {
  keepsAllExchangesOf,
  reportersOf,
  selectingOptions,
  selectionOf,
  type TestOptions,
} from './options.ts'
import { setKeys } from './set-keys.ts'
import { describeUnsetVariables } from './unset-variables.ts'
import { waitingOf } from './waiting.ts'

/** A run that is ready to start: its target is known, and the bundled servers listen. */
export interface Prepared {
  runTarget: RunTarget
  selection: Selection
  /** Whether the verdicts of passed checks contain exchanges too. */
  keepsAllExchanges: boolean
  planned: Awaited<ReturnType<typeof plan>>
  options: TestOptions
  /** The list of what the run creates; undefined if the run writes no files or needs no cleanup. */
  journal: JournalFile | undefined
  /** The failures that the user expects; undefined if there is no list. */
  expected: ExpectedFailures | undefined
  /**
   * A command line that repeats a check. `{id}` is a placeholder for the id of the requirement, or
   * for the key of the check if the requirement has several checks.
   */
  repeat: string
  /** A command line that removes what the run left on the servers. */
  clean: string
  /**
   * Updates the list of known failures after a run. Returns the verdicts, with known failures
   * marked according to the new list. In `verdicts`, no failure is marked as known; in `marked`,
   * failures are marked according to the old list.
   */
  writeExpected(verdicts: readonly Verdict[], marked: readonly Verdict[]): Promise<Verdict[]>
  /** Opens the report of a run. `summaryOnly`: the caller prints the checks. */
  open(more?: Pick<ReportOptions, 'summaryOnly' | 'currentWait'>): Report
  /**
   * Prints the JSON report with --json, or one line if the console reporter is not selected. Sets
   * the exit status.
   */
  finish(result: Result): void
}

/**
 * Reads the options and finds the target. Resolves to undefined if the checks are only listed, or
 * if there are none to repeat.
 * `command` is the command line that started the run.
 */
export async function prepare(given: object, command: string): Promise<Prepared | undefined> {
  const options = given as TestOptions
  const waiting = waitingOf(options)
  const selection = options.failed === true ? failedIn(options) : selectionOf(options)
  if (selection === undefined) {
    process.stdout.write(
      `Nothing failed in ${join(options.report, 'report.json')}, so there is nothing to repeat.\n`,
    )
    return undefined
  }
  if (options.list === true) {
    await list(options, await setKeys(given, options), selection)
    return undefined
  }
  const reporters = reportersOf(options, defaultsFor(process.env)).filter(
    (name) => name !== 'console' || options.json !== true,
  )
  const keepsAllExchanges = keepsAllExchangesOf(options)
  const writesFiles = reporters.some((name) => name !== 'console' && name !== 'github')
  if (writesFiles) requireWritable(options.report)

  const flags = await setKeys(given, options)
  if (options.failed === true) await requireServer(options, flags)
  const runTarget = withSeed(await findTarget(options, flags, selection))
  try {
    const run = { command, options, waiting, selection, reporters, keepsAllExchanges, writesFiles }
    return await prepareRun(run, runTarget)
  } catch (error) {
    // Bundled servers that still listen would keep the process running.
    await runTarget.close()
    throw error
  }
}

/** What the command line selects. */
interface RequestedRun {
  command: string
  options: TestOptions
  waiting: PreflightOptions
  selection: Selection
  reporters: readonly ReporterName[]
  keepsAllExchanges: boolean
  writesFiles: boolean
}

/** Prepares a run of a target whose bundled servers listen already. */
async function prepareRun(
  { command, options, waiting, selection, reporters, keepsAllExchanges, writesFiles }: RequestedRun,
  runTarget: SeededTarget,
): Promise<Prepared> {
  const planned = await plan(selection, sectionsOf(runTarget.target))
  if (planned.length === 0) throw await nothingPlanned(selection, runTarget)
  const { target } = runTarget
  const expectedList = findExpectedList(runTarget, options)
  if (options.writeExpected === true) requireWritableList(expectedList!)
  const isNewList = options.writeExpected === true && !existsSync(expectedList!.file)
  const expected =
    expectedList === undefined || isNewList
      ? undefined
      : await loadExpectedFailures(
          target.suite.expected ?? expectedList.file,
          sectionsOf(target),
          planned,
        )
  if (!runTarget.bundled) await tryTarget(target, options, waiting)
  const clean = cleanCommand(options.report, runTarget.cleanArguments)
  const journal =
    writesFiles && !runTarget.bundled ? openJournal(options.report, target, clean) : undefined
  const repeat = [command, '--only', '{id}', ...runTarget.repeatArguments].join(' ')
  const repeatedSenders = await loadRepeatedSenders([
    ...new Set(planned.map(({ section }) => section)),
  ])
  /** What is printed after the report about the list of known failures. */
  let written = ''
  const head = {
    suite: { name: 'touchstone', version: version() },
    target: publicTarget(runTarget.target),
    targetName: runTarget.name,
    seed: runTarget.target.suite.seed,
    strict: options.strict ?? runTarget.bundled,
    planned,
    expectedList,
    selected: selectingOptions(options),
    skipped: selection.skip ?? [],
    readEarlierFailures: () =>
      writesFiles ? failuresOfLastReport(options.report, publicTarget(target)) : [],
    keepsAllExchanges,
    repeat: (verdict: Parameters<Repeat>[0]) => {
      const { requirement, key } = verdict
      const isOnly = planned.filter((check) => check.requirement === requirement).length <= 1
      const words = [isOnly ? requirement : shellWord(key), ...repeatedSenders(verdict)]
      return repeat.replace('{id}', () => words.join(' --only '))
    },
    describePath,
    nameNeeds,
    isSet: (path: string) => findMissingKeys(runTarget.target, [path]).length === 0,
  }
  return {
    runTarget,
    selection: selectForKnown(selection, planned, expected),
    keepsAllExchanges,
    planned,
    options,
    expected,
    journal,
    repeat,
    clean,
    async writeExpected(verdicts, marked) {
      const { file } = expectedList!
      const today = dayOf(new Date())
      const { entries, added, removed, expired } = updateExpected(expected, marked, today)
      const isNamed = target.suite.expected !== undefined
      if (entries.length === 0 && !isNamed && !existsSync(file)) {
        written = `No failure was found, so ${file} was not written.\n`
        return [...verdicts]
      }
      await writeExpectedFile(file, entries)
      written = `${file}: ${entries.length} known ${entries.length === 1 ? 'failure' : 'failures'}, ${added} added, ${removed} removed\n`
      if (expired.length > 0) written += describeExpired(expired)
      if (!isNamed)
        written += `The next run reads it with --expected ${shellWord(file)}, or with suite.expected: ${file} in the target file.\n`
      // The new list has no stale entries, even if only some checks of an entry ran.
      return new ExpectedFailures(entries, { today, isWhole: () => false }).markAll(verdicts)
    },
    open: (more = {}) =>
      openReport(
        { ...head, startedAt: new Date().toISOString() },
        {
          folder: options.report,
          reporters,
          verbose: options.verbose ?? false,
          isSilent: options.json === true,
          ...more,
        },
      ),
    finish(result) {
      process.stderr.write(written)
      if (options.json !== true && reporters.includes('console') && !runTarget.bundled) {
        const unset = describeUnsetVariables(commandsOf(result), secretsOf(target))
        if (unset !== undefined) process.stderr.write(`${unset}\n`)
      }
      const isWhole = result.exit < 3 && result.firstFailure === undefined
      const doubtful = isWhole ? (expected?.findDoubtful(result.verdicts) ?? []) : []
      if (doubtful.length > 0) process.stderr.write(describeDoubtful(doubtful))
      // The report contains pixel.png, because the curl commands of failed uploads read that file.
      if (
        runTarget.target.images !== undefined &&
        result.totals.fail + result.totals.warn > 0 &&
        reporters.includes('exchanges')
      )
        writeFileSync(resolve(options.report, 'exchanges', 'pixel.png'), smallPng())
      if (options.json !== true && !reporters.includes('console')) {
        process.stdout.write(
          `${runTarget.name}: ${result.totals.fail} failed, ${result.totals.pass} passed, exit ${result.exit}; reports in ${options.report}\n`,
        )
      }
      if (journal !== undefined && result.left.length > 0 && existsSync(journal.path))
        process.stderr.write(
          `To try again to remove what is left: ${clean}\nIf the server cannot delete it, delete it yourself, and then run this command with --forget.\n`,
        )
      if (options.json === true) process.stdout.write(`${printableJson(jsonOf(result), 2)}\n`)
      process.exitCode = result.exit
    },
  }
}

/** Says which known failures did not occur, although the run cannot prove that they are stale. */
const describeDoubtful = (entries: readonly ExpectedFailure[]): string =>
  `These known failures did not occur, but not all of their checks have a result: ${entries.map(({ id }) => id).join(', ')}. If they are corrected, remove them from the list.\n`

/** Says that --write-expected does not extend entries whose last day has passed. */
function describeExpired(expired: readonly ExpectedFailure[]): string {
  const [these, their, them] =
    expired.length === 1
      ? ['1 entry has expired, and its', 'its', 'it']
      : [`${expired.length} entries have expired, and their`, 'their', 'them']
  const ids = expired.map(({ id, until }) => `${id} (until ${until})`).join(', ')
  return `${these} failures still count: ${ids}.\nTo keep ${them}, set a later day in ${their} until, or remove until.\n`
}

/**
 * The command that removes what a run left. `targetArguments` are the arguments of the run that
 * name its target.
 */
const cleanCommand = (folder: string, targetArguments: readonly string[]): string =>
  [
    'npx touchstone clean',
    ...targetArguments,
    ...(folder === 'report' ? [] : ['--report', shellWord(folder)]),
  ].join(' ')

/** A number of things that a run created or changed. */
export const countOf = (left: number): string =>
  `${left} ${left === 1 ? 'resource or setting' : 'resources or settings'}`

/**
 * Opens the journal of a run. If an earlier run was killed, prints a line with the command `clean`.
 */
function openJournal(folder: string, target: Target, clean: string): JournalFile {
  const journal = new JournalFile(join(folder, journalName), newRedactor(secretsOf(target)))
  if (readJournal(journal.path).hasOpenRun)
    process.stderr.write(
      `An earlier run did not end, and left ${countOf(journal.countLeft())} on the server. Next: ${clean}\n`,
    )
  return journal
}

/** The default reporters. On GitHub Actions, also annotations and the summary of the step. */
const defaultsFor = ({ GITHUB_ACTIONS }: NodeJS.ProcessEnv): readonly ReporterName[] =>
  GITHUB_ACTIONS === 'true' ? [...defaultReporters, 'github'] : defaultReporters

/** Selects the checks that failed in the last report. Returns undefined if there are none. */
function failedIn({ report, only, ...options }: TestOptions): Selection | undefined {
  if (only !== undefined) throw new UsageError('--failed and --only exclude each other.')
  const { failures, hasNoResult } = readLastReport(report)
  if (failures.length === 0 && hasNoResult)
    throw new UsageError(
      `${join(report, 'report.json')} is the report of a run without a result. Next: run npx touchstone test without --failed.`,
    )
  return failures.length === 0
    ? undefined
    : {
        ...selectionOf({ report, ...options }),
        only: failures.map(({ key }) => key),
        alsoSending: failures.flatMap(({ sentBy = [] }) => sentBy),
      }
}

/**
 * Throws a `UsageError` if --failed would repeat at the bundled servers what failed at another
 * server, because that server is not named.
 */
async function requireServer(
  { report, ...options }: TestOptions,
  flags: Record<string, string | boolean>,
): Promise<void> {
  if (options.bundled === true || (await namedTarget(options, flags)) !== undefined) return
  const { servers } = readLastReport(report)
  throw new UsageError(
    `--failed repeats what failed at ${servers}, but no server is named.\nNext: name it as in that run. If these were the bundled servers, add --bundled.`,
  )
}

/** Throws a `UsageError` if a server does not listen, or rejects every request. */
async function tryTarget(
  target: Target,
  { preflight }: TestOptions,
  waiting: PreflightOptions,
): Promise<void> {
  if (!preflight) return
  const { findMistakes } = await import('../../../conformance/preflight.ts')
  const mistakes = await findMistakes(target, waiting)
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'))
}

type SeededTarget = RunTarget & { target: { suite: { seed: number } } }

/** Adds a generated seed if the target has none, so that reports contain the seed of the run. */
function withSeed(runTarget: RunTarget): SeededTarget {
  const { target } = runTarget
  const { seed = newSeed() } = target.suite
  return { ...runTarget, target: { ...target, suite: { ...target.suite, seed } } }
}

/** Lists the selected checks. If a target is named, lists only those that apply to it. */
async function list(
  options: TestOptions,
  flags: Record<string, string | boolean>,
  selection: Selection,
): Promise<void> {
  const { formatCheckList } = await import('./list.ts')
  const named = await namedTarget(options, flags)
  const planned = await plan(selection, ...(named === undefined ? [] : [sectionsOf(named.target)]))
  if (planned.length === 0)
    throw named === undefined ? nothingSelected() : await nothingPlanned(selection, named)
  const checks = planned.map((check) =>
    named === undefined ? check : { ...check, lacking: findMissingKeys(named.target, check.needs) },
  )
  process.stdout.write(
    options.json === true ? `${printableJson(checks, 2)}\n` : formatCheckList(checks, named?.name),
  )
}

const nothingSelected = () =>
  new UsageError(
    'Nothing to test: no check matches all of --only, --topic, --contract, --level and --profile. npx touchstone test --list --bundled lists all checks.',
  )

/** Returns an error that says why a selection has no checks for this target. */
async function nothingPlanned(
  selection: Selection,
  { name }: Pick<RunTarget, 'name'>,
): Promise<UsageError> {
  const all = await plan(selection)
  if (all.length === 0) return nothingSelected()
  return new UsageError(
    `Nothing to test: the selected checks need a section ${[...new Set(all.map(({ section }) => section))].join(' or ')} of the target, and ${name} has none.`,
  )
}

/** Finds the list of known failures. Undefined if the run has none. */
function findExpectedList(
  { target, file = 'the target' }: RunTarget,
  { writeExpected }: TestOptions,
): Head['expectedList'] {
  const { expected = writeExpected === true ? 'expected.yaml' : undefined } = target.suite
  if (expected === undefined) return undefined
  return typeof expected === 'string'
    ? { file: expected, isInTarget: false }
    : { file, isInTarget: true }
}

/** Throws a `UsageError` if the list of known failures cannot be written after the run. */
function requireWritableList({ file, isInTarget }: NonNullable<Head['expectedList']>): void {
  if (isInTarget)
    throw new UsageError(
      `${file} contains the list of known failures (suite.expected), which --write-expected does not change. Next: edit the list yourself, or name a file with --expected, which replaces the list.`,
    )
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written: ${whyUnwritable(error)}.\nNext: name another file with --expected.`,
    )
  }
}

/** Creates the folder. Throws a `UsageError` if files cannot be written to it. */
function requireWritable(folder: string): void {
  try {
    makeFolder(resolve(folder))
    if (!statSync(folder).isDirectory()) throw new Error('it is a file')
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `The report cannot be written to ${folder}: ${whyUnwritable(error)}\nNext: choose another folder with --report, or write no files with --reporter console.`,
    )
  }
}
