import { accessSync, constants, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  defaultReporters,
  jsonOf,
  makeFolder,
  openReport,
  type Result,
} from '../../../conformance/report/index.ts'
import { judge } from '../../../conformance/judge.ts'
import { plan, sectionsOf, type Selection } from '../../../conformance/suite.ts'
import { publicTarget, saysOf } from '../../../conformance/target.ts'
import { pixel } from '../../../conformance/wire/fakes/picture.ts'
import { UsageError } from '../../complain.ts'
import { version } from '../../package.ts'
import { judgedOf, type Judged } from './judged.ts'
import { flagsOf, reportersOf, selectionOf, type Options } from './options.ts'

/** `touchstone test`: finds the target, runs the checks, reports. The exit status is the verdict's. */
export async function run(given: object): Promise<void> {
  const options = given as Options
  const selection = selectionOf(options)
  if (options.list === true) {
    const { listed } = await import('./list.ts')
    const all = await plan(selection)
    if (all.length === 0) throw nothingSelected()
    process.stdout.write(options.json === true ? `${JSON.stringify(all, null, 2)}\n` : listed(all))
    return
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
  const started = performance.now()
  const report = openReport(
    {
      suite: { name: 'touchstone', version: version() },
      target: publicTarget(judged.target),
      targetName: judged.name,
      startedAt: new Date().toISOString(),
      strict: options.strict ?? judged.bundled,
      planned,
      repeat: repeatWith(judged),
      says: saysOf,
    },
    { folder: options.report, reporters, verbose: options.verbose ?? false },
  )
  const off = new AbortController()
  const stopListening = onInterrupt(() => off.abort())
  let result: Result
  try {
    const judgement = await judge({
      target: judged.target,
      selection,
      throwaway: judged.bundled,
      planned,
      onVerdict: (verdict) => report.verdict(verdict),
      signal: off.signal,
    })
    result = report.end({
      ...judgement,
      durationMs: Math.round(performance.now() - started),
      calledOff: off.signal.aborted,
    })
  } finally {
    stopListening()
    await judged.close()
  }
  // The curl lines of failed uploads name it.
  if (
    judged.target.images !== undefined &&
    result.totals.fail + result.totals.warn > 0 &&
    reporters.includes('exchanges')
  )
    writeFileSync(resolve(options.report, 'exchanges', 'pixel.png'), pixel())
  if (options.json !== true && !reporters.includes('console')) {
    process.stdout.write(
      `${judged.name}: ${result.totals.fail} failed, ${result.totals.pass} passed, exit ${result.exit}; reports in ${options.report}\n`,
    )
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify(jsonOf(result), null, 2)}\n`)
  process.exitCode = result.exit
}

const nothingSelected = () =>
  new UsageError(
    'Nothing to judge: no check fits all of what is selected. --list shows what there is.',
  )

/** Why a selection leaves nothing to judge at this target. */
async function nothingPlanned(selection: Selection, { name }: Judged): Promise<UsageError> {
  const all = await plan(selection)
  if (all.length === 0) return nothingSelected()
  return new UsageError(
    `Nothing to judge: what is selected judges ${[...new Set(all.map(({ section }) => section))].join(' and ')}, and ${name} names none.`,
  )
}

/** How somebody repeats one requirement: as the command was called, below npm or not. */
function repeatWith({ again }: Judged): (requirement: string) => string {
  const script = process.env.npm_lifecycle_event
  const command = script === 'conformance' ? 'npm run conformance --' : 'npx touchstone test'
  return (requirement) => [command, '--only', requirement, ...again].join(' ')
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

/** The first Ctrl-C calls the run off, the second ends the process. */
function onInterrupt(callOff: () => void): () => void {
  let asked = false
  const interrupt = () => {
    if (asked) process.exit(130)
    asked = true
    process.stderr.write('\ncalled off: what was made is being deleted; once more ends at once\n')
    callOff()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
}
