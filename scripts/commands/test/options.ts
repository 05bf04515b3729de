import { Option } from 'commander'
import type { Selection } from '../../../conformance/suite.ts'
import { reporterNames, type ReporterName } from '../../../conformance/report/index.ts'
import { flagOf, nearest } from '../../../conformance/target-file/index.ts'
import { keys } from '../../../conformance/target.ts'
import { UsageError } from '../../complain.ts'

/** The options as commander gives them; the target's keys come under names of their own. */
export interface TestOptions {
  target?: string
  bundled?: boolean
  only?: string[]
  topic?: string[]
  contract?: string[]
  level?: string[]
  strict?: boolean
  report: string
  reporter?: string[]
  concurrency?: string
  verbose?: boolean
  json?: boolean
  list?: boolean
}

/** Which checks the options select. Throws `UsageError` for a word that names nothing. */
export function selectionOf({ only, topic, contract, level }: TestOptions): Selection {
  return {
    ...(only === undefined ? {} : { only: only.flatMap(words) }),
    ...(topic === undefined ? {} : { topics: topic.flatMap(words) }),
    ...(contract === undefined ? {} : { contracts: contract.flatMap(words) }),
    ...(level === undefined ? {} : { levels: level.flatMap(words) }),
  }
}

/** Splits at commas, but for the key of a check: that is a sentence and may hold one. */
function words(text: string): string[] {
  return /\s/.test(text.trim()) && !/^[\w-]+(\s*,\s*[\w-]+)*,?$/.test(text.trim())
    ? [text]
    : text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
}

/** What was given of the target on the command line, by path. */
export function flagsOf(
  options: object,
  { concurrency }: Pick<TestOptions, 'concurrency'>,
): Record<string, string | boolean> {
  const given = options as Record<string, string | boolean | undefined>
  const flags = keys.flatMap(({ path }) => {
    const value = given[new Option(flagOf(path)).attributeName()]
    return value === undefined ? [] : [[path, value] as const]
  })
  return {
    ...(concurrency === undefined ? {} : { 'suite.concurrency': concurrency }),
    ...Object.fromEntries(flags),
  }
}

/** The reporters that are asked for; undefined where none is. */
export function reportersOf({ reporter }: TestOptions): ReporterName[] | undefined {
  return reporter?.flatMap(words).map((name) => {
    const known = reporterNames.find((candidate) => candidate === name)
    if (known !== undefined) return known
    const near = nearest(name, reporterNames)
    throw new UsageError(
      `There is no reporter ${name}.${near === undefined ? '' : ` Did you mean ${near}?`} Known: ${reporterNames.join(', ')}`,
    )
  })
}
