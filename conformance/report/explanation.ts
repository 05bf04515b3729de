import { join } from 'node:path'
import {
  contracts,
  requirements,
  topics,
  type Requirement,
} from '../../generated/requirements/index.ts'
import type { Finding, Outcome, Verdict } from '../engine/index.ts'
import { describeJsonDifference } from './json-difference.ts'

/** The maximum number of distinct findings in an explanation. */
const maxFindings = 3

/** The labels of the lines of an explanation. `docs/failures.md` explains each label. */
export const explanationLabels = [
  'requires',
  'source',
  'reasoning',
  'note',
  'case',
  'expected',
  'received',
  'differs',
  'and',
  'because',
  'known',
  'request',
  'repeat',
  'or',
  'see',
] as const

/** One line of an explanation: a label and its text. */
export type ExplanationLine = readonly [label: (typeof explanationLabels)[number], text: string]

export const symbols: Record<Outcome, string> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: '~',
  blocked: '⊘',
  'not covered': '–',
  'not applicable': '·',
  error: '‼',
  known: '○',
  stale: '●',
}

/** The outcomes, worst first. Outcomes without a result come last, so that they hide no others. */
export const severity: readonly Outcome[] = [
  'fail',
  'error',
  'stale',
  'warn',
  'known',
  'blocked',
  'pass',
  'observed',
  'not covered',
  'not applicable',
]

/** Outcomes in words that follow a number: "2 failed". */
export const words: Record<Outcome, string> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'with a warning',
  observed: 'observed',
  blocked: 'blocked',
  'not covered': 'not covered',
  'not applicable': 'not applicable',
  error: 'in error',
  known: 'known',
  stale: 'stale',
}

/** Returns a command line that repeats a check. */
export type Repeat = (check: Pick<Verdict, 'requirement' | 'key' | 'sentBy'>) => string

/**
 * Explains a verdict other than a pass: what is required, expected and received, and how to repeat
 * the check. Set `folder`, the folder of the report, if the exchanges are written there.
 */
export function explanationOf(
  verdict: Verdict,
  repeat: Repeat,
  folder?: string,
): ExplanationLine[] {
  const lines = requiredLines(verdict)
  const broken = verdict.expectations.filter(({ held }) => !held)
  const different = foldCases(distinct(verdict))
  for (const { labels, expected, received, occurrence, cases } of different.slice(0, maxFindings)) {
    if (cases !== undefined) {
      lines.push(['expected', expected], ['received', listCases(cases)])
      continue
    }
    if (labels.length > 0) lines.push(['case', shortList(labels)])
    lines.push(
      ['expected', expected],
      ['received', `${received}${occurrence === '' ? '' : `   (${occurrence})`}`],
    )
    const difference = describeJsonDifference(expected, received)
    if (difference !== undefined) lines.push(['differs', difference])
  }
  if (different.length > maxFindings)
    lines.push([
      'and',
      `${count(different.length - maxFindings, 'more difference')}, in the report files`,
    ])
  if (verdict.reason !== undefined) lines.push(['because', verdict.reason])
  const { expectedFailure } = verdict
  if (expectedFailure !== undefined)
    lines.push(['known', describeExpected(verdict.verdict, expectedFailure)])
  if (verdict.differs !== undefined)
    lines.push(['request', `differs ${verdict.differs} from a request that the server accepted`])
  lines.push(['repeat', repeat(verdict)])
  const command = commandOf(verdict, broken, folder)
  if (command !== undefined) lines.push(['or', command])
  else if (folder !== undefined && verdict.exchanges.length > 0)
    lines.push(['see', join(folder, exchangesFile(verdict))])
  return lines
}

/** At most this many cases of one expectation are listed. */
const maxCases = 6

/** A finding, or several cases of the same expectation that received different values. */
interface FoldedFinding extends DistinctFinding {
  cases?: readonly DistinctFinding[]
}

/** Folds findings with labels that expect the same into one. */
function foldCases(findings: readonly DistinctFinding[]): FoldedFinding[] {
  const folded = new Map<string, FoldedFinding>()
  for (const finding of findings) {
    const { labels, expected, received } = finding
    const canFold =
      labels.length > 0 &&
      !received.includes('\n') &&
      describeJsonDifference(expected, received) === undefined
    const key = canFold ? expected : `${expected}\n${received}`
    const first = folded.get(key)
    if (first === undefined) folded.set(key, finding)
    else folded.set(key, { ...first, cases: [...(first.cases ?? [first]), finding] })
  }
  return [...folded.values()]
}

/** One line for each case. */
function listCases(cases: readonly DistinctFinding[]): string {
  const lines = cases
    .slice(0, maxCases)
    .map(({ labels, received, occurrence }) =>
      `• ${shortList(labels)}: ${received}`.concat(occurrence === '' ? '' : ` (${occurrence})`),
    )
  const more = cases.length - maxCases
  return [...lines, ...(more > 0 ? [`• and ${count(more, 'more case')}`] : [])].join('\n')
}

/** Describes the user's entry for a failure. */
export function describeExpected(
  outcome: Outcome,
  { id, reason, until }: NonNullable<Verdict['expectedFailure']>,
): string {
  if (outcome === 'stale') return `${id} is expected to fail (${reason}), but passes`
  if (until === undefined) return reason
  return outcome === 'known' ? `until ${until}: ${reason}` : `only until ${until}: ${reason}`
}

/** Matches the files that curl commands read and that the report's folder contains. */
const bodyFiles = /@(pixel\.png|exchange-\d+\.body)\b/g

/**
 * The curl command of the first exchange that did not meet an expectation and can be repeated
 * after the run. Undefined if there is no such exchange, or if the command reads a file that is not
 * in the report.
 */
export function commandOf(
  { exchanges }: Pick<Verdict, 'exchanges'>,
  broken: readonly Finding[],
  folder: string | undefined,
): string | undefined {
  // In the order of the findings, because a report shows only the first ones.
  const shown = broken
    .map(({ exchange }) => exchanges.find(({ number }) => number === exchange))
    .find((one) => one?.isSelfContained === true)
  if (shown === undefined) return undefined
  const withoutFiles = shown.curl.replace(bodyFiles, '')
  if (/-F '[^']*=@/.test(withoutFiles)) return undefined
  if (withoutFiles !== shown.curl && folder === undefined) return undefined
  return shown.curl.replace(bodyFiles, (_, file: string) => `@${join(folder!, 'exchanges', file)}`)
}

/** The file with a verdict's exchanges, relative to the report's folder. */
export function exchangesFile({ key }: Pick<Verdict, 'key'>): string {
  const [requirement = key, ...title] = key.split(' ')
  const slug = title
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return join('exchanges', `${requirement}-${slug.slice(0, 80)}.txt`)
}

/** Findings of one check with the same text, merged into one. */
export interface DistinctFinding {
  expected: string
  /** The received value; if there were several, their number and the first one. */
  received: string
  /** The exchange of the first finding. */
  exchange?: number | undefined
  /** The labels of the merged findings, such as the methods of their requests. */
  labels: string[]
  /**
   * How often the value was received, or over which transports: `3 times`. Empty if the value was
   * received once, or if there are several values.
   */
  occurrence: string
}

/**
 * The findings of a check about expectations that were not met. Merges findings with the same text,
 * and findings about one place in several items of an array; an asterisk then replaces the index.
 */
export function distinct({ expectations }: Pick<Verdict, 'expectations'>): DistinctFinding[] {
  const known = new Map<string, { one: DistinctFinding; merged: Finding[] }>()
  for (const finding of expectations.filter(({ held }) => !held)) {
    const { name, expected, received, exchange } = finding
    const place = withoutIndexes(expected)
    const key = place === expected ? `${expected}\n${received}` : place
    const { one, merged } = known.get(key) ?? {
      one: { expected, received, exchange, labels: [], occurrence: '' },
      merged: [],
    }
    known.set(key, { one, merged })
    merged.push(finding)
    if (one.expected !== expected) one.expected = place
    const label = labelOf(name)
    if (label !== undefined && !one.labels.includes(label)) one.labels.push(label)
  }
  const all = transportsOf(expectations)
  return [...known.values()].map(({ one, merged }) => {
    const differ = merged.some(({ received }) => received !== one.received)
    return {
      ...one,
      received: differ ? `${merged.length} wrong values, such as ${one.received}` : one.received,
      occurrence: describeOccurrence(
        differ ? 1 : merged.length,
        all.length > 1 ? transportsOf(merged) : [],
      ),
    }
  })
}

const transportsOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.flatMap(({ transport }) => transport ?? [])),
]

function describeOccurrence(times: number, transports: readonly string[]): string {
  if (transports.length > 0) return `over ${transports.join(', ')}`
  return times > 1 ? `${times} times` : ''
}

/** Replaces the indexes of arrays in the JSON pointer of "the value at /result/images/0/id: …". */
const withoutIndexes = (expected: string): string =>
  expected.replace(/(?<=\bthe value at )\/[^\s:]*/, (pointer) =>
    pointer.replace(/\/\d+(?=\/|$)/g, '/*'),
  )

/**
 * The label that the engine's `labelled` added to the name of an expectation. A label can contain a
 * colon, as in "a javascript: URI", but the rest of the name contains none.
 */
function labelOf(name: string): string | undefined {
  const end = name.lastIndexOf(': ')
  return end === -1 ? undefined : name.slice(0, end)
}

export function shortList(labels: readonly string[], most = 3): string {
  const more = labels.length - most
  return more > 0 ? `${labels.slice(0, most).join(', ')} and ${more} more` : labels.join(', ')
}

/** The statement of a requirement, its source, and the reasoning if the requirement is derived. */
export function requiredLines({
  requirement,
  contract,
}: Pick<Verdict, 'requirement' | 'contract'>): ExplanationLine[] {
  const { statement, where, standard, because, conflict, profile }: Requirement =
    requirements[requirement]
  return [
    ['requires', statement],
    [
      'source',
      [
        ...where.split('; ').map((place) => `${documentOf(contract)} › ${place}`),
        ...(standard === undefined ? [] : [standard]),
        ...(profile === 'conventions' ? ['a convention: MCP does not require it'] : []),
      ].join('; '),
    ],
    ...(because === undefined ? [] : [['reasoning', because] as const]),
    ...(conflict === undefined
      ? []
      : [
          [
            'note',
            `${conflict}. A server cannot meet both: for MCP, test with --profile mcp, or list ${requirement} as a known failure`,
          ] as const,
        ]),
  ]
}

/** The name of a contract's document. */
function documentOf(contract: string): string {
  return contracts.find((known) => known.contract === contract)?.document ?? contract
}

/**
 * Describes in one line the first expectation that was not met or, if all were met, the reason of
 * the verdict.
 */
export function briefOf({ verdict, expectations, reason, expectedFailure }: Verdict): string {
  if (verdict === 'stale' && expectedFailure !== undefined)
    return describeExpected(verdict, expectedFailure)
  const broken = expectations.find(({ held }) => !held)
  if (broken === undefined) return (reason ?? '').split('\n')[0]!
  const label = labelOf(broken.name)
  return `${label === undefined ? '' : `case ${label}: `}expected ${broken.expected}; received ${inOneLine(broken.received)}`
}

/** In a list with bullets, replaces the line breaks with commas. */
const inOneLine = (text: string): string =>
  text.includes('\n• ')
    ? text.replaceAll(':\n• ', ': ').replaceAll('\n• ', ', ').replaceAll('\n', '; ')
    : text

/** The title of a topic in the catalogue. */
export function topicTitle(contract: string, topic: string): string {
  return (
    topics.find((known) => known.contract === contract && known.topic === topic)?.title ?? topic
  )
}

/**
 * Returns a function that formats the title of a topic, with the contract if the run has several.
 */
export function topicTitlesFor(
  planned: readonly { contract: string }[],
): (contract: string, topic: string) => string {
  const several = planned.some(({ contract }) => contract !== planned[0]?.contract)
  return (contract, topic) =>
    several ? `${contract} › ${topicTitle(contract, topic)}` : topicTitle(contract, topic)
}

/** Formats a number with a noun: "1 check", "2 checks". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** The status of a response in words. 0 means that the response was not received over HTTP. */
export const statusText = ({ status }: { status: number }): string =>
  status === 0 ? 'received' : String(status)
