import { Option } from 'commander'
import type { Selection } from '../../../conformance/suite.ts'
import { reporterNames, type ReporterName } from '../../../conformance/report/index.ts'
import { flagOf, nearest } from '../../../conformance/target-file/index.ts'
import { keys } from '../../../conformance/target.ts'
import { shellWord } from '../../../conformance/wire/shell.ts'
import { UsageError } from '../../print-error.ts'

/** The options as commander returns them, without the options for keys of the target file. */
export interface TestOptions {
  /** The address on the command line: a URL, or a host with a port. */
  address?: string
  /** The account of the image API at that address. */
  account?: string
  /** The project of the webhook API at that address. */
  project?: string
  target?: string
  bundled?: boolean
  only?: string[]
  topic?: string[]
  contract?: string[]
  level?: string[]
  profile?: string
  strict?: boolean
  report: string
  reporter?: string[]
  exchanges: string
  concurrency?: string
  verbose?: boolean
  json?: boolean
  list?: boolean
  /** How long to wait for the servers, with its unit. */
  wait?: string
  /** As in `WaitOptions`. Set by --watch, not by the user. */
  waitsForServers?: boolean
  preflight: boolean
  skip?: string[]
  failed?: boolean
  watch?: boolean
  bail?: boolean
  expected?: string
  writeExpected?: boolean
}

/** Returns which checks the options select. Throws `UsageError` if the profile is unknown. */
export function selectionOf({
  only,
  skip,
  topic,
  contract,
  level,
  profile,
}: TestOptions): Selection {
  if (profile !== undefined && profile !== 'mcp' && profile !== 'conventions')
    throw new UsageError(`--profile must be mcp or conventions, not ${profile}`)
  return {
    ...(only === undefined ? {} : { only: listOf('--only', only) }),
    ...(skip === undefined ? {} : { skip: listOf('--skip', skip) }),
    ...(topic === undefined ? {} : { topics: listOf('--topic', topic) }),
    ...(contract === undefined ? {} : { contracts: listOf('--contract', contract) }),
    ...(level === undefined ? {} : { levels: listOf('--level', level) }),
    ...(profile === undefined ? {} : { profile }),
  }
}

/**
 * The options that select checks, sorted: `--contract images`, `--only IMG-UPLOAD`. Empty if all
 * checks are selected. Does not contain `--skip`.
 */
export function selectingOptions(options: TestOptions): string[] {
  const { only = [], topics = [], contracts = [], levels = [], profile } = selectionOf(options)
  const written = (flag: string, values: readonly string[]) =>
    values.map((value) => `${flag} ${shellWord(value)}`)
  const all = [
    ...written('--only', only),
    ...written('--topic', topics),
    ...written('--contract', contracts),
    ...written('--level', levels),
    ...written('--profile', profile === undefined ? [] : [profile]),
    ...(options.failed === true ? ['--failed'] : []),
  ]
  return [...new Set(all)].toSorted()
}

/**
 * Returns whether reports contain the exchanges of passed checks too. Throws `UsageError` if the
 * value of `--exchanges` is unknown.
 */
export function keepsAllExchangesOf({ exchanges }: TestOptions): boolean {
  if (exchanges !== 'failed' && exchanges !== 'all')
    throw new UsageError(`--exchanges must be failed or all, not ${exchanges}`)
  return exchanges === 'all'
}

/** Reads the values of a list. Throws `UsageError` if one of them contains nothing, such as `,`. */
function listOf(flag: string, values: readonly string[]): string[] {
  const read = values.map(words)
  if (read.some((list) => list.length === 0)) throw new UsageError(`${flag} names nothing`)
  return read.flat()
}

/**
 * Splits a list at commas. Does not split the key of a check, which is a sentence and can contain
 * commas.
 */
function words(text: string): string[] {
  return /\s/.test(text.trim()) && !/^[\w-]+(\s*,\s*[\w-]+)*,?$/.test(text.trim())
    ? [text]
    : text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
}

/** Returns the keys of the target that were set with options. */
export function flagsOf(
  options: object,
  { concurrency, expected }: Pick<TestOptions, 'concurrency' | 'expected'>,
): Record<string, string | boolean> {
  const given = options as Record<string, string | boolean | undefined>
  const flags = keys.flatMap(({ path }) => {
    const value = given[new Option(flagOf(path)).attributeName()]
    return value === undefined ? [] : [[path, value] as const]
  })
  return {
    ...(concurrency === undefined ? {} : { 'suite.concurrency': concurrency }),
    ...(expected === undefined ? {} : { 'suite.expected': expected }),
    ...Object.fromEntries(flags),
  }
}

/** The word that represents the default reporters. */
const defaultWord = 'default'

/**
 * Returns the selected reporters, or `defaults` if none are selected. The word "default" adds the
 * defaults. Throws a `UsageError` if a name is unknown.
 */
export function reportersOf(
  { reporter = [defaultWord] }: Pick<TestOptions, 'reporter'>,
  defaults: readonly ReporterName[],
): ReporterName[] {
  const selected = listOf('--reporter', reporter).flatMap((name) => {
    if (name === defaultWord) return defaults
    const known = reporterNames.find((candidate) => candidate === name)
    if (known !== undefined) return [known]
    const names = [defaultWord, ...reporterNames]
    const near = nearest(name, names)
    throw new UsageError(
      `There is no reporter ${name}.${near === undefined ? '' : ` Did you mean ${near}?`} Known: ${names.join(', ')}`,
    )
  })
  return [...new Set(selected)]
}
