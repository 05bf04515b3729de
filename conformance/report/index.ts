/**
 * Reports verdicts as they arrive: on the console, and in files (JSON, JUnit, HTML, Markdown,
 * a badge, exchanges).
 */
import { resolve } from 'node:path'
import { exitStatus, totalsOf, type PendingWait, type Verdict } from '../engine/index.ts'
import { badgeReporter } from './badge.ts'
import { consoleReporter } from './console.ts'
import { exchangesReporter } from './exchanges.ts'
import { githubReporter } from './github.ts'
import { htmlReporter } from './html/page.ts'
import { jsonReporter } from './json.ts'
import { junitReporter } from './junit.ts'
import { markdownReporter } from './markdown.ts'
import {
  unrepeatedFailures,
  type ExitStatus,
  type Head,
  type Reporter,
  type Result,
} from './result.ts'
import { nearPath, type Out } from './screen.ts'

export type { EarlierFailure, Head, Result } from './result.ts'
export type { Out } from './screen.ts'
export { commandsOf } from './commands.ts'
export type { Repeat } from './explanation.ts'
export { jsonOf } from './json.ts'
export { makeFolder } from './report-file.ts'

export const reporterNames = [
  'console',
  'json',
  'junit',
  'exchanges',
  'html',
  'markdown',
  'badge',
  'github',
] as const
export type ReporterName = (typeof reporterNames)[number]
export const defaultReporters: readonly ReporterName[] = [
  'console',
  'json',
  'junit',
  'exchanges',
  'html',
]

export interface ReportOptions {
  /** The folder into which the reporters write files. */
  folder: string
  reporters?: readonly ReporterName[]
  out?: Out
  verbose?: boolean
  /** Whether nothing is written to `out`, because only the caller writes there. */
  isSilent?: boolean
  /** Returns what the run waits for at the moment, for the progress on the console. */
  currentWait?: () => PendingWait | undefined
  /** Whether the console report omits the checks and failures, because the caller prints them. */
  summaryOnly?: boolean
}

/** An open report, to which verdicts are added as they arrive. */
export interface Report {
  /** Shows the number of requests so far. */
  exchange(total: number): void
  verdict(verdict: Verdict): void
  /** Shows no more progress, because the user cancelled the run. */
  cancel(): void
  /** Closes the report: writes the files, prints the summary, and returns the result. */
  end(
    last: Pick<Result, 'verdicts' | 'left' | 'durationMs'> & {
      proposals?: readonly string[]
      protocolVersions?: readonly string[]
      unusedAbsent?: readonly string[]
      crashes?: readonly string[]
      isCancelled?: boolean
      firstFailure?: string | undefined
    },
  ): Result
}

/**
 * Opens a report with the requested reporters. The console reporter is closed last, because it
 * lists the files of the other reporters.
 */
export function openReport(
  head: Head,
  {
    folder,
    reporters = defaultReporters,
    out = process.stdout,
    verbose = false,
    isSilent = false,
    summaryOnly = false,
    currentWait = () => undefined,
  }: ReportOptions,
): Report {
  const directory = resolve(folder)
  const make: Record<ReporterName, () => Reporter> = {
    json: () => jsonReporter(directory),
    junit: () => junitReporter(directory),
    html: () => htmlReporter(directory),
    markdown: () => markdownReporter(directory),
    badge: () => badgeReporter(directory),
    exchanges: () => exchangesReporter(directory),
    console: () => consoleReporter(out, { verbose, summaryOnly, currentWait }),
    github: () => githubReporter(isSilent ? undefined : out, process.env['GITHUB_STEP_SUMMARY']),
  }
  const open = (Object.keys(make) as ReporterName[])
    .filter((name) => reporters.includes(name))
    .map((name) => make[name]())
  for (const reporter of open) reporter.start?.(head)
  return {
    exchange(total) {
      for (const reporter of open) reporter.exchange?.(total)
    },
    cancel() {
      for (const reporter of open) reporter.cancel?.()
    },
    verdict(verdict) {
      for (const reporter of open) reporter.verdict?.(verdict)
    },
    end({
      verdicts,
      left,
      proposals = [],
      protocolVersions = [],
      unusedAbsent = [],
      durationMs,
      crashes = [],
      isCancelled = false,
      firstFailure,
    }) {
      const exit: ExitStatus = isCancelled
        ? 130
        : crashes.length > 0
          ? 3
          : exitStatus(verdicts, { strict: head.strict })
      const result: Result = {
        ...head,
        exchangesFolder: reporters.includes('exchanges') ? nearPath(directory) : undefined,
        verdicts,
        left,
        proposals,
        protocolVersions,
        unusedAbsent,
        crashes,
        durationMs,
        totals: totalsOf(verdicts),
        exit,
        firstFailure,
        earlierFailures: unrepeatedFailures(head.readEarlierFailures?.() ?? [], verdicts),
      }
      const files: string[] = []
      for (const reporter of open) files.push(...(reporter.end?.(result, files) ?? []))
      return result
    },
  }
}
