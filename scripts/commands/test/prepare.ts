import { accessSync, constants, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  defaultReporters,
  jsonOf,
  makeFolder,
  openReport,
  type Report,
  type Result,
} from '../../../conformance/report/index.ts'
import { plan, sectionsOf, type Selection } from '../../../conformance/suite.ts'
import { publicTarget, describePath } from '../../../conformance/target.ts'
import { smallPng } from '../../../conformance/wire/fakes/image.ts'
import { UsageError } from '../../complain.ts'
import { version } from '../../package.ts'
import { judgedOf, type JudgedTarget } from './judged.ts'
import { flagsOf, reportersOf, selectionOf, type TestOptions } from './options.ts'

/** A run that is ready to start: the target is known, and bundled servers are listening. */
export interface Prepared {
  judged: JudgedTarget
  selection: Selection
  planned: Awaited<ReturnType<typeof plan>>
  options: TestOptions
  /** A command line that tests one requirement again; `{id}` is replaced by its id. */
  repeat: string
  /** Opens the report of one run; `summaryOnly` if the host prints the checks itself. */
  open(more?: { summaryOnly?: boolean }): Report
  /** Prints the summary or the JSON report, and sets the exit status. */
  finish(result: Result): void
}

/**
 * Reads the options and finds the target. Resolves to undefined if the checks are only listed.
 * `command` is the command line that started the run.
 */
export async function prepare(given: object, command: string): Promise<Prepared | undefined> {
  const options = given as TestOptions
  const selection = selectionOf(options)
  if (options.list === true) {
    const { listed } = await import('./list.ts')
    const all = await plan(selection)
    if (all.length === 0) throw nothingSelected()
    process.stdout.write(options.json === true ? `${JSON.stringify(all, null, 2)}\n` : listed(all))
    return undefined
  }
  const reporters = (reportersOf(options) ?? defaultReporters).filter(
    (name) => name !== 'console' || options.json !== true,
  )
  if (reporters.some((name) => name !== 'console')) writable(options.report)

  const judged = await judgedOf(options, flagsOf(given, options), selection)
  const planned = await plan(selection, sectionsOf(judged.target))
  if (planned.length === 0) {
    await judged.close()
    throw await nothingPlanned(selection, judged)
  }
  const repeat = [command, '--only', '{id}', ...judged.again].join(' ')
  const head = {
    suite: { name: 'touchstone', version: version() },
    target: publicTarget(judged.target),
    targetName: judged.name,
    strict: options.strict ?? judged.bundled,
    planned,
    repeat: (requirement: string) => repeat.replace('{id}', requirement),
    describePath,
  }
  return {
    judged,
    selection,
    planned,
    options,
    repeat,
    open: ({ summaryOnly = false } = {}) =>
      openReport(
        { ...head, startedAt: new Date().toISOString() },
        { folder: options.report, reporters, verbose: options.verbose ?? false, summaryOnly },
      ),
    finish(result) {
      // The curl commands of failed uploads use it.
      if (
        judged.target.images !== undefined &&
        result.totals.fail + result.totals.warn > 0 &&
        reporters.includes('exchanges')
      )
        writeFileSync(resolve(options.report, 'exchanges', 'pixel.png'), smallPng())
      if (options.json !== true && !reporters.includes('console')) {
        process.stdout.write(
          `${judged.name}: ${result.totals.fail} failed, ${result.totals.pass} passed, exit ${result.exit}; reports in ${options.report}\n`,
        )
      }
      if (options.json === true)
        process.stdout.write(`${JSON.stringify(jsonOf(result), null, 2)}\n`)
      process.exitCode = result.exit
    },
  }
}

const nothingSelected = () =>
  new UsageError(
    'Nothing to judge: no check fits all of what is selected. --list shows what there is.',
  )

/** Reports why a selection has no checks for this target. */
async function nothingPlanned(selection: Selection, { name }: JudgedTarget): Promise<UsageError> {
  const all = await plan(selection)
  if (all.length === 0) return nothingSelected()
  return new UsageError(
    `Nothing to judge: what is selected judges ${[...new Set(all.map(({ section }) => section))].join(' and ')}, and ${name} names none.`,
  )
}

function writable(folder: string): void {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `The report cannot be written to ${folder}: ${(error as Error).message}\nNext: name another folder with --report, or --reporter console for none.`,
    )
  }
}
