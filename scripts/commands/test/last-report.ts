import { join } from 'node:path'
import type { EarlierFailure } from '../../../conformance/report/index.ts'
import { labelsOf, type Target } from '../../../conformance/target.ts'
import { isObject } from '../../../conformance/engine/index.ts'
import { parseJson, readUserFile } from '../../../conformance/target-file/user-file.ts'
import { UsageError } from '../../print-error.ts'

interface LastReport {
  /** The target without secrets, and without the section `suite`, as JSON. */
  readonly target: string
  /** The servers that were tested, in words. */
  readonly servers: string
  /** Checks that had no good result, in that run or in an earlier one. */
  readonly failures: readonly EarlierFailure[]
  /** Whether that run was cancelled, or had no result for another reason. */
  readonly hasNoResult: boolean
}

/** Reads `report.json` in a folder. Throws a `UsageError` if it is missing or not a report. */
export function readLastReport(folder: string): LastReport {
  const file = join(folder, 'report.json')
  const other =
    folder === 'report'
      ? ', or name the folder of the report with --report'
      : `, with --report ${folder}`
  const next = `Next: run npx touchstone test without --failed${other}.`
  const read = readUserFile(file)
  if ('wrong' in read) throw new UsageError(`${file}: ${read.wrong}. ${next}`)
  const parsed = parseJson(read.text)
  const report = 'wrong' in parsed ? undefined : parsed.value
  if (!isObject(report) || !isListOfVerdicts(report['verdicts']))
    throw new UsageError(`${file}: is not a report. ${next}`)
  const { target, verdicts, exit, earlierFailures = [] } = report
  return {
    target: comparableTarget(target),
    servers: describeServers(target),
    hasNoResult: exit === 3 || exit === 130,
    failures: [...verdicts, ...(isListOfVerdicts(earlierFailures) ? earlierFailures : [])]
      .filter(({ verdict }) => ['fail', 'blocked', 'error', 'stale'].includes(verdict))
      .map(({ key, verdict, sentBy }) => ({
        key,
        verdict,
        ...(sentBy === undefined ? {} : { sentBy }),
      })),
  }
}

/**
 * Returns the failures in the report that a run is going to overwrite, so that `--failed` still
 * repeats those that the run does not judge. Empty if there is no report, or if it is about another
 * target.
 */
export function failuresOfLastReport(folder: string, target: unknown): readonly EarlierFailure[] {
  try {
    const last = readLastReport(folder)
    return last.target === comparableTarget(target) ? last.failures : []
  } catch (error) {
    if (error instanceof UsageError) return []
    throw error
  }
}

/** Names the servers of a report. Its target may have another form than in this version. */
function describeServers(target: unknown): string {
  try {
    return labelsOf(target as Target).join(' and ') || 'a server'
  } catch {
    return 'a server'
  }
}

const comparableTarget = (target: unknown): string =>
  JSON.stringify(isObject(target) ? { ...target, suite: undefined } : target)

const isListOfVerdicts = (value: unknown): value is EarlierFailure[] =>
  Array.isArray(value) &&
  value.every(
    (one: unknown) =>
      isObject(one) &&
      typeof one['key'] === 'string' &&
      typeof one['verdict'] === 'string' &&
      (one['sentBy'] === undefined || Array.isArray(one['sentBy'])),
  )
