import { join } from 'node:path'
import { type Verdict, showHidden } from '../engine/index.ts'
import { byTopic, meaningOf } from './groups.ts'
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
export function junitOf(result: Result): string {
  const { suite, startedAt, durationMs, verdicts, repeat, exchangesFolder } = result
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
  const problem = problemWithoutTest(result)
  if (problem !== undefined) suites.unshift(suiteOfRun(suite.name, problem))
  const totals = counts(verdicts, problem === undefined ? 0 : 1)
  const attributes = `name=${quoted(suite.name)} ${totals} time="${(durationMs / 1000).toFixed(3)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join('')}</testsuites>\n`
}

/**
 * Why the exit status is not 0, if no test shows it: for example because the server ended. Viewers
 * of JUnit files would show such a run as successful.
 */
const problemWithoutTest = (result: Result): string | undefined =>
  result.exit === 0 ||
  result.verdicts.some(({ verdict }) => failed.includes(verdict) || verdict === 'error')
    ? undefined
    : meaningOf(result)

const suiteOfRun = (name: string, problem: string): string =>
  [
    '  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">',
    `    <testcase classname=${quoted(`${name}.run`)} name="the run has a result">`,
    `      <error type="run" message=${quoted(problem)}/>`,
    '    </testcase>',
    '  </testsuite>',
    '',
  ].join('\n')

const skipped: readonly Verdict['verdict'][] = ['blocked', 'not covered', 'not applicable', 'known']
const failed: readonly Verdict['verdict'][] = ['fail', 'stale']

function counts(verdicts: readonly Verdict[], ofRun = 0): string {
  const of = (...wanted: readonly Verdict['verdict'][]) =>
    verdicts.filter(({ verdict }) => wanted.includes(verdict)).length
  return `tests="${verdicts.length + ofRun}" failures="${of(...failed)}" errors="${of('error') + ofRun}" skipped="${of(...skipped)}"`
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
