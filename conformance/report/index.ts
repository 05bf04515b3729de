/** Reports: one stream of verdicts in; console, JSON, JUnit, HTML, Markdown and exchanges out. */
import { resolve } from 'node:path'
import { exitStatus, totalsOf, type Verdict } from '../engine/index.ts'
import { consoleReporter } from './console.ts'
import { exchangesReporter } from './exchanges.ts'
import { htmlReporter } from './html.ts'
import { jsonReporter } from './json.ts'
import { junitReporter } from './junit.ts'
import { markdownReporter } from './markdown.ts'
import type { ExitStatus, Head, Reporter, Result } from './result.ts'
import type { Out } from './screen.ts'

export type { Head, Result } from './result.ts'
export type { Out } from './screen.ts'
export { jsonOf } from './json.ts'
export { makeFolder } from './put.ts'

export const reporterNames = ['console', 'json', 'junit', 'exchanges', 'html', 'markdown'] as const
export type ReporterName = (typeof reporterNames)[number]
export const defaultReporters: readonly ReporterName[] = ['console', 'json', 'junit', 'exchanges']

export interface ReportOptions {
  /** Where files go. */
  folder: string
  reporters?: readonly ReporterName[]
  out?: Out
  verbose?: boolean
  /** The console tells only the end, and no failures: something else shows the checks one by one. */
  summaryOnly?: boolean
}

/** A report under way: verdicts go in as they come. */
export interface Report {
  verdict(verdict: Verdict): void
  /** Closes it: writes the files, prints the end, says the exit status. */
  end(
    last: Pick<Result, 'verdicts' | 'left' | 'durationMs'> & {
      crashes?: readonly string[]
      calledOff?: boolean
    },
  ): Result
}

/** Opens a report with the reporters that are asked for. The console comes last at the end, to name the files of the others. */
export function openReport(
  head: Head,
  {
    folder,
    reporters = defaultReporters,
    out = process.stdout,
    verbose = false,
    summaryOnly = false,
  }: ReportOptions,
): Report {
  const place = resolve(folder)
  const make: Record<ReporterName, () => Reporter> = {
    json: () => jsonReporter(place),
    junit: () => junitReporter(place),
    html: () => htmlReporter(place),
    markdown: () => markdownReporter(place),
    exchanges: () => exchangesReporter(place),
    console: () => consoleReporter(out, { verbose, summaryOnly }),
  }
  const open = (Object.keys(make) as ReporterName[])
    .filter((name) => reporters.includes(name))
    .map((name) => make[name]())
  for (const reporter of open) reporter.start?.(head)
  return {
    verdict(verdict) {
      for (const reporter of open) reporter.verdict?.(verdict)
    },
    end({ verdicts, left, durationMs, crashes = [], calledOff = false }) {
      const exit: ExitStatus = calledOff
        ? 130
        : crashes.length > 0
          ? 3
          : exitStatus(verdicts, { strict: head.strict })
      const result: Result = {
        ...head,
        verdicts,
        left,
        crashes,
        durationMs,
        totals: totalsOf(verdicts),
        exit,
      }
      const files: string[] = []
      for (const reporter of open) files.push(...(reporter.end?.(result, files) ?? []))
      return result
    },
  }
}
