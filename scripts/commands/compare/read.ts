import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { parseJson, readUserFile } from '../../../conformance/target-file/user-file.ts'
import type { SavedRun } from '../../../conformance/compare/saved-run.ts'
import { packageRoot, version } from '../../package.ts'
import { UsageError } from '../../print-error.ts'

const file = 'report.json'

/** An error about a report that is missing or cannot be read. Its cause is the reason alone. */
const reportError = (path: string, problem: string, next: string): UsageError =>
  new UsageError(`${path}: ${problem}.\nNext: ${next}.`, { cause: problem })

/** The fields of a report that a comparison reads. */
const readFields = ['suite', 'startedAt', 'strict', 'exit', 'verdicts']

/** Reads a report as `readRun` does. One that cannot be read becomes a run with a `problem`. */
export function readRunOrProblem(path: string): Omit<SavedRun, 'name'> {
  try {
    return readRun(path)
  } catch (error) {
    const problem = (error as Error).cause
    if (!(error instanceof UsageError) || typeof problem !== 'string') throw error
    const suite = { name: '', version: '' }
    return { suite, startedAt: '', strict: false, exit: 3, verdicts: [], problem }
  }
}

/**
 * Reads a report.json, or the one in a folder. Throws a `UsageError` with a next step if there is
 * none, if it is not a report, or if an incompatible version wrote it.
 */
export function readRun(path: string): Omit<SavedRun, 'name'> {
  const parsed = parseJson(readText(path))
  if ('wrong' in parsed) throw notAReport(path, parsed.wrong)
  const { value } = parsed
  const written = versionOf(value)
  const isOther = written !== undefined && written !== version()
  const errors = findErrors(value, isOther)
  if (isOther && (majorOf(written) !== majorOf(version()) || errors.length > 0))
    throw reportError(
      path,
      `was written by Touchstone ${written}, whose reports Touchstone ${version()} cannot read`,
      'test the server again with one version, or compare with the newer version',
    )
  if (errors.length > 0) throw notAReport(path, `is not a report (${describeError(errors[0]!)})`)
  return value as SavedRun
}

function readText(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const read = readUserFile(isFolder ? join(path, file) : path)
  if ('text' in read) return read.text
  throw notAReport(path, read.isMissing ? 'there is no report.json' : read.wrong)
}

const notAReport = (path: string, problem: string): UsageError =>
  reportError(
    path,
    problem,
    `name a ${file} of touchstone test, or the folder that contains it (--report)`,
  )

function versionOf(value: unknown): string | undefined {
  const found = (value as { suite?: { version?: unknown } } | null)?.suite?.version
  return typeof found === 'string' ? found : undefined
}

const majorOf = (text: string): string => text.split('.')[0]!

let validateReport: ValidateFunction | undefined

function compileSchema(): ValidateFunction {
  const schema = JSON.parse(
    readFileSync(join(packageRoot(), 'specs/json-schema', file), 'utf8'),
  ) as object
  return new Ajv2020({ allErrors: true, strict: false }).compile(schema)
}

/**
 * Validates a value with specs/json-schema/report.json. Minor versions can add fields. So a report
 * of another version may have additional fields, and may lack fields that a comparison does not
 * read.
 */
function findErrors(value: unknown, isOtherVersion: boolean): ErrorObject[] {
  const validate = (validateReport ??= compileSchema())
  if (validate(value)) return []
  const errors = validate.errors ?? []
  if (!isOtherVersion) return errors
  return errors.filter(
    ({ keyword, instancePath, params }) =>
      keyword !== 'additionalProperties' &&
      !(keyword === 'required' && !isRead(instancePath, String(params.missingProperty))),
  )
}

/** Whether a comparison reads a field. Of a verdict, it reads most fields. */
const isRead = (path: string, field: string): boolean =>
  path === '' ? readFields.includes(field) : /^\/(suite|verdicts)/.test(path)

const describeError = ({ instancePath, message = 'is wrong' }: ErrorObject): string =>
  `${instancePath === '' ? 'it' : instancePath} ${message}`
