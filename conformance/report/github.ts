import { appendFileSync } from 'node:fs'
import type { Outcome, Verdict } from '../engine/index.ts'
import { annotationOf } from './annotation.ts'
import { briefOf } from './explanation.ts'
import { meaningOf, staleAdvice } from './groups.ts'
import { markdownOf } from './markdown.ts'
import type { Reporter, Result } from './result.ts'
import type { Out } from './screen.ts'

/** GitHub shows at most this many annotations of each kind for one step. */
const maxAnnotations = 10

/** The longest summary of a step that GitHub accepts, in bytes. */
const maxSummaryBytes = 1024 * 1024

/**
 * Prints annotations in GitHub Actions: the reason of the exit status, failures and warnings. Adds
 * the report to the summary of the step. `summaryFile` is the value of GITHUB_STEP_SUMMARY. Without
 * `out`, prints nothing.
 */
export function githubReporter(out: Out | undefined, summaryFile: string | undefined): Reporter {
  return {
    end(result) {
      for (const line of annotationsOf(result)) out?.write(`${line}\n`)
      if (summaryFile !== undefined && summaryFile !== '')
        appendFileSync(summaryFile, summaryOf(result))
      return []
    },
  }
}

/**
 * The workflow commands that annotate a run. If the exit status is not 0, the first one contains
 * the reason. It counts as one of the errors that GitHub shows.
 */
export function annotationsOf(result: Result): string[] {
  const { exit, verdicts } = result
  const reasons = exit === 0 ? [] : [annotationOf('error', 'touchstone test', reasonOf(result))]
  const failures = annotated(verdicts, 'error', ['fail', 'stale', 'error'])
  return [
    ...[...reasons, ...failures].slice(0, maxAnnotations),
    ...annotated(verdicts, 'warning', ['warn']).slice(0, maxAnnotations),
  ]
}

/** Why the exit status is not 0, and what to do about known failures that no longer fail. */
function reasonOf(result: Result): string {
  const { verdicts, crashes, exit } = result
  const isStale = exit === 1 && verdicts.some(({ verdict }) => verdict === 'stale')
  return [
    `${meaningOf(result)} (exit ${exit})`,
    ...(isStale ? [staleAdvice(result)] : []),
    ...crashes,
  ].join('\n')
}

const annotated = (
  verdicts: readonly Verdict[],
  command: 'error' | 'warning',
  outcomes: readonly Outcome[],
): string[] =>
  verdicts
    .filter(({ verdict }) => outcomes.includes(verdict))
    .map((verdict) =>
      annotationOf(command, `${verdict.requirement} ${verdict.title}`, briefOf(verdict)),
    )

/** The report in Markdown. If it is too long, it is cut at the end of a line. */
function summaryOf(result: Result): string {
  const text = `${markdownOf(result)}\n`
  if (Buffer.byteLength(text) <= maxSummaryBytes) return text
  const note = '\n\nThe rest does not fit into a summary: see report.md or report.json.\n'
  const cut = Buffer.from(text)
    .subarray(0, maxSummaryBytes - note.length - 8)
    .toString()
  const isInFence = ((cut.match(/^`{3,}/gm) ?? []).length & 1) === 1
  return `${cut.slice(0, cut.lastIndexOf('\n'))}${isInFence ? '\n```' : ''}${note}`
}
