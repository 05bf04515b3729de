import { requirements, topics } from '../../generated/requirements/index.ts'
import type { ExchangeRecord, Finding, Outcome, Verdict } from '../engine/index.ts'

/** Broken findings that one story contains in full. */
const mostFindings = 3

/** One line of a story: a label and a string. */
export type StoryLine = readonly [label: string, text: string]

export const symbols: Record<Outcome, string> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: '~',
  blocked: '⊘',
  'not covered': '–',
  'not applicable': '·',
  error: '‼',
}

/** Outcomes as they follow a number: "2 failed". */
export const words: Record<Outcome, string> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warned',
  observed: 'observed',
  blocked: 'blocked',
  'not covered': 'not covered',
  'not applicable': 'not applicable',
  error: 'in error',
}

/**
 * The story of a verdict that did not pass: what is required, expected and received, and how to
 * repeat it.
 */
export function storyOf(verdict: Verdict, repeat: (requirement: string) => string): StoryLine[] {
  const lines = requiredLines(verdict)
  const broken = verdict.expectations.filter(({ held }) => !held)
  const different = distinct(broken)
  for (const { expected, received, times } of different.slice(0, mostFindings)) {
    lines.push(
      ['expected', expected],
      ['received', times === 1 ? received : `${received}   ${times} times`],
    )
  }
  if (different.length > mostFindings)
    lines.push(['and', `${different.length - mostFindings} more, in the report`])
  if (verdict.reason !== undefined) lines.push(['because', verdict.reason])
  if (verdict.differs !== undefined) lines.push(['differs', verdict.differs])
  lines.push(['repeat', repeat(verdict.requirement)])
  const shown = exchangeOf(verdict, broken[0])
  // A delivery cannot be requested again: the address that it was sent to ended with the run.
  if (shown !== undefined && shown.operation !== 'delivery') lines.push(['or', shown.curl])
  return lines
}

/** Merges findings with the same text. */
function distinct(
  findings: readonly Finding[],
): { expected: string; received: string; times: number }[] {
  const known = new Map<string, { expected: string; received: string; times: number }>()
  for (const { expected, received } of findings) {
    const same = known.get(`${expected}\n${received}`)
    if (same === undefined) known.set(`${expected}\n${received}`, { expected, received, times: 1 })
    else same.times += 1
  }
  return [...known.values()]
}

/** The sentence of the requirement, and what it is based on. */
function requiredLines({ requirement, contract }: Verdict): StoryLine[] {
  const { statement, where, standard, because } = requirements[requirement]
  return [
    ['requires', statement],
    [
      'source',
      [`${contract} › ${where}`, ...(standard === undefined ? [] : [standard])].join('; '),
    ],
    ...(because === undefined ? [] : [['derived', because] as const]),
  ]
}

/** The exchange that broke an expectation, or else the last one. */
export function exchangeOf({ exchanges }: Verdict, broken?: Finding): ExchangeRecord | undefined {
  return exchanges.find(({ number }) => number === broken?.exchange) ?? exchanges.at(-1)
}

/** Describes in one line what was broken. */
export function briefOf({ expectations, reason }: Verdict): string {
  const broken = expectations.find(({ held }) => !held)
  return broken === undefined
    ? (reason ?? '').split('\n')[0]!
    : `expected ${broken.expected}; received ${broken.received}`
}

/** The title of a topic in the catalogue. */
export function topicTitle(contract: string, topic: string): string {
  return (
    topics.find((known) => known.contract === contract && known.topic === topic)?.title ?? topic
  )
}

/** The title of a topic in a run; with the contract, if the run has several. */
export function topicTitleAmong(
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

/**
 * Replaces control characters, which could steer a terminal or break a document, by visible
 * symbols.
 */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) =>
    character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '�',
  )
}

/** The status of a response; 0 if it was not received over HTTP. */
export const statusText = ({ status }: { status: number }): string =>
  status === 0 ? 'what came' : String(status)
