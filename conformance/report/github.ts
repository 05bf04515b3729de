import { appendFileSync } from 'node:fs'
import { showHidden, type Outcome, type Verdict } from '../engine/index.ts'
import { briefOf } from './explanation.ts'
import { markdownOf } from './markdown.ts'
import type { Reporter, Result } from './result.ts'
import type { Out } from './screen.ts'

/** GitHub shows at most this many annotations of each kind for one step. */
const maxAnnotations = 10

/** The longest summary of a step that GitHub accepts, in bytes. */
const maxSummaryBytes = 1024 * 1024

/**
 * Prints annotations for failures and warnings in GitHub Actions, and adds the report to the
 * summary of the step. `summaryFile` is the value of GITHUB_STEP_SUMMARY. Without `out`, prints
 * nothing.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
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

/** The workflow commands that annotate the failures and warnings of a run. */
export function annotationsOf({ verdicts }: Pick<Result, 'verdicts'>): string[] {
  const kinds: readonly (readonly [command: string, outcomes: readonly Outcome[]])[] = [
    ['error', ['fail', 'stale', 'error']],
    ['warning', ['warn']],
  ]
  return kinds.flatMap(([command, outcomes]) =>
    verdicts
      .filter(({ verdict }) => outcomes.includes(verdict))
      .slice(0, maxAnnotations)
      .map((verdict) => annotationOf(command, verdict)),
  )
}

function annotationOf(command: string, verdict: Verdict): string {
  const title = escapedProperty(`${verdict.requirement} ${verdict.title}`)
  return `::${command} title=${title}::${escapedData(briefOf(verdict))}`
}

const escapedData = (text: string): string =>
  showHidden(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

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
