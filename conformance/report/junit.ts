import { join } from 'node:path'
import { type Verdict, showHidden } from '../engine/index.ts'
import { byTopic } from './groups.ts'
import { writeReportFile } from './report-file.ts'
import type { Reporter, Result } from './result.ts'
import { briefOf, explanationOf, topicTitle } from './explanation.ts'

/**
 * Writes `junit.xml`, with one `testsuite` for each topic. Checks that are blocked, not covered or
 * not applicable, and known failures, are skipped tests with the reason.
 */
export function junitReporter(folder: string): Reporter {
  return { end: (result) => [writeReportFile(join(folder, 'junit.xml'), junitOf(result))] }
}

/** The documentation of a requirement: a path in the package, with an anchor. */
export const documentationOf = (requirement: string): string =>
  `generated/REQUIREMENTS.md#${requirement.toLowerCase()}`

/** Formats the run as JUnit XML, which CI services read. */
export function junitOf({
  suite,
  startedAt,
  durationMs,
  verdicts,
  repeat,
  exchangesFolder,
}: Result): string {
  const explanation = (verdict: Verdict) =>
    [
      ['requirement', `${verdict.requirement}, ${documentationOf(verdict.requirement)}`] as const,
      ...explanationOf(verdict, repeat, exchangesFolder),
    ]
      .map(([label, text]) => `${label}: ${text}`)
      .join('\n')
  const suites = byTopic(verdicts).map(({ contract, topic, verdicts: own }) => {
    const cases = own
      .map((verdict) => testcase(verdict, `${suite.name}.${contract}.${topic}`, explanation))
      .join('')
    const seconds = own.reduce((sum, verdict) => sum + verdict.durationMs, 0) / 1000
    return `  <testsuite name=${quoted(`${contract}: ${topicTitle(contract, topic)}`)} ${counts(own)} time="${seconds.toFixed(3)}" timestamp=${quoted(startedAt.slice(0, 19))}>\n${cases}  </testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name=${quoted(suite.name)} ${counts(verdicts)} time="${(durationMs / 1000).toFixed(3)}">\n${suites.join('')}</testsuites>\n`
}

const skipped: readonly Verdict['verdict'][] = ['blocked', 'not covered', 'not applicable', 'known']
const failed: readonly Verdict['verdict'][] = ['fail', 'stale']

function counts(verdicts: readonly Verdict[]): string {
  const of = (...wanted: readonly Verdict['verdict'][]) =>
    verdicts.filter(({ verdict }) => wanted.includes(verdict)).length
  return `tests="${verdicts.length}" failures="${of(...failed)}" errors="${of('error')}" skipped="${of(...skipped)}"`
}

function testcase(
  verdict: Verdict,
  classname: string,
  explanationOfVerdict: (verdict: Verdict) => string,
): string {
  const { requirement, title, level, verdict: outcome, durationMs, observations = [] } = verdict
  const explanation = () => explanationOfVerdict(verdict)
  const inner: string[] = [
    `<properties><property name="requirement" value=${quoted(requirement)}/><property name="documentation" value=${quoted(documentationOf(requirement))}/><property name="level" value=${quoted(level)}/><property name="verdict" value=${quoted(outcome)}/></properties>`,
  ]
  if (failed.includes(outcome) || outcome === 'error') {
    const tag = outcome === 'error' ? 'error' : 'failure'
    inner.push(
      `<${tag} type=${quoted(requirement)} message=${quoted(briefOf(verdict))}>${escaped(explanation())}</${tag}>`,
    )
  }
  if (skipped.includes(outcome))
    inner.push(
      `<skipped message=${quoted(`${outcome}: ${verdict.reason ?? verdict.expectedFailure?.reason ?? ''}`)}/>`,
    )
  if (outcome === 'warn')
    inner.push(`<system-out>${escaped(`warning\n${explanation()}`)}</system-out>`)
  if (outcome === 'observed')
    inner.push(`<system-out>${escaped(observations.join('\n'))}</system-out>`)
  const time = (durationMs / 1000).toFixed(3)
  return `    <testcase classname=${quoted(classname)} name=${quoted(`${requirement} ${title}`)} time="${time}">\n      ${inner.join('\n      ')}\n    </testcase>\n`
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`
}

/**
 * Escapes a string for XML 1.0, which forbids most control characters, lone surrogates, U+FFFE and
 * U+FFFF even as character references.
 */
function escaped(text: string): string {
  return showHidden(Buffer.from(text).toString())
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
