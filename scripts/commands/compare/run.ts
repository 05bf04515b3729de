import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compareRuns, type RunComparison } from '../../../conformance/compare/changes.ts'
import { matrixOf } from '../../../conformance/compare/matrix.ts'
import { matrixPage } from '../../../conformance/compare/matrix-page.ts'
import { contractsOf, selectionOf, type SavedRun } from '../../../conformance/compare/saved-run.ts'
import { writeReportFile } from '../../../conformance/report/report-file.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import { annotateFailure } from '../../annotate.ts'
import { UsageError } from '../../print-error.ts'
import { nameReports } from './names.ts'
import { comparisonAsJson, matrixAsJson } from './json.ts'
import { describeRegression, printComparison } from './print.ts'
import { printMatrix } from './print-matrix.ts'
import { readRun, readRunOrProblem } from './read.ts'

/** The options as commander returns them. */
interface Options {
  matrix?: string
  name?: readonly string[]
  strict?: boolean
  verbose?: boolean
  json?: boolean
}

const page = 'comparison.html'

/**
 * Runs `touchstone compare`: compares two runs, or writes a page about several servers. Throws a
 * `UsageError` if the reports have no contract in common, or if a report cannot be read. If several
 * servers are compared, a server whose report cannot be read is shown without a result instead.
 */
export async function run(paths: readonly string[], options: Options): Promise<void> {
  const { matrix, strict = false, verbose = false, json = false } = options
  if (paths.length < 2)
    throw new UsageError(
      'compare needs two reports.\nNext: npx touchstone compare BEFORE AFTER, or three or more reports of different servers.',
    )
  const runs = readRuns(paths, options)
  requireCommonContract(runs)
  if (runs.length === 2 && matrix === undefined) {
    const comparison = compareRuns(runs[0]!, runs[1]!, strict)
    requireCommonCheck(comparison)
    if (json) process.stdout.write(comparisonAsJson(comparison))
    else printComparison(comparison, { verbose })
    process.exitCode = comparison.exit
    if (comparison.exit !== 0) annotateFailure(describeRegression(comparison))
    return
  }
  if (strict)
    throw new UsageError(
      '--strict is for two runs of one server.\nNext: name two reports, without --matrix.',
    )
  const compared = matrixOf(runs)
  const unread = runs.filter(({ problem }) => problem !== undefined)
  if (unread.length > 0) {
    process.exitCode = 3
    annotateFailure(unread.map(({ name, problem }) => `${name}: ${problem}`).join('\n'))
  }
  const file = json && matrix === undefined ? undefined : writePage(matrix, matrixPage(compared))
  if (json) process.stdout.write(matrixAsJson(compared))
  else printMatrix(compared, file!)
}

/** Reads the reports. Without --name, two runs have their paths as names. */
function readRuns(paths: readonly string[], { name, matrix }: Options): SavedRun[] {
  if (name !== undefined && name.length !== paths.length)
    throw new UsageError(
      `${paths.length} reports need ${paths.length} names, but --name was given ${name.length} ${name.length === 1 ? 'time' : 'times'}.\nNext: add a --name for each report, or omit --name.`,
    )
  const isPair = paths.length === 2 && matrix === undefined
  const names = name ?? (isPair ? paths : nameReports(paths))
  const read = isPair ? readRun : readRunOrProblem
  const runs = paths.map((path, index) => ({ ...read(path), name: names[index]! }))
  // Throws the error of the first report if none can be read.
  if (runs.every(({ problem }) => problem !== undefined)) readRun(paths[0]!)
  return runs
}

/** Throws a `UsageError` if a report has no contract in common with the first one. */
function requireCommonContract(runs: readonly SavedRun[]): void {
  const [first, ...others] = runs.filter(({ verdicts }) => verdicts.length > 0)
  if (first === undefined) return
  const contracts = contractsOf(first)
  const other = others.find((run) => !contractsOf(run).some((one) => contracts.includes(one)))
  if (other === undefined) return
  const described = (run: SavedRun) => contractsOf(run).join(', ') || 'no contract'
  throw new UsageError(
    `${first.name} is about ${described(first)}, and ${other.name} about ${described(other)}: they have no contract in common.\nNext: compare reports about servers of one kind.`,
  )
}

/** Throws a `UsageError` if the runs selected different checks, and no check twice. */
function requireCommonCheck({ before, after, notCompared }: RunComparison): void {
  const { before: first, after: second } = notCompared ?? { before: 0, after: 0 }
  const isNothingCompared =
    first > 0 && second > 0 && first === before.verdicts.length && second === after.verdicts.length
  if (isNothingCompared)
    throw new UsageError(
      `${before.name} (${selectionOf(before) || 'all checks'}) and ${after.name} (${selectionOf(after) || 'all checks'}) have no check in common.\nNext: compare runs with the same --only, --topic, --contract, --level, --profile and --skip.`,
    )
}

function writePage(requested: string | undefined, content: string): string {
  const isFolder =
    requested !== undefined &&
    (/[\\/]$/.test(requested) || (existsSync(requested) && statSync(requested).isDirectory()))
  const file = isFolder ? join(requested, page) : (requested ?? page)
  try {
    return writeReportFile(file, content)
  } catch (error) {
    throw new UsageError(
      `${file}: cannot be written (${whyUnwritable(error)}).\nNext: choose another file with --matrix.`,
    )
  }
}
