import { requirements, topics } from '../../generated/requirements/index.ts'
import type { ExchangeRecord, Finding, Outcome, Verdict } from '../engine/index.ts'

/** Pairs of broken findings that one story tells in full. */
const told = 3

/** One line of a story: what it is about, and the text. */
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

/** Outcomes as they follow a number: «2 failed». */
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

/** What a verdict that is no pass tells: demanded, expected, received, and how to see it again. */
export function storyOf(verdict: Verdict, repeat: (requirement: string) => string): StoryLine[] {
  const lines: StoryLine[] = [['demands', demandOf(verdict)]]
  const broken = verdict.expectations.filter(({ held }) => !held)
  const different = distinct(broken)
  for (const { expected, received, times } of different.slice(0, told)) {
    lines.push(
      ['expected', expected],
      ['received', times === 1 ? received : `${received}   ${times} times`],
    )
  }
  if (different.length > told) lines.push(['and', `${different.length - told} more, in the report`])
  if (verdict.reason !== undefined) lines.push(['because', verdict.reason])
  if (verdict.differs !== undefined) lines.push(['differs', verdict.differs])
  lines.push(['repeat', repeat(verdict.requirement)])
  const shown = exchangeOf(verdict, broken[0])
  // What came in cannot be asked for again: the address that it came to ended with the run.
  if (shown !== undefined && shown.operation !== 'delivery') lines.push(['or', shown.curl])
  return lines
}

/** Findings that read alike count as one. */
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

/** The sentence that a verdict is about, and where the document says it. */
export function demandOf({
  requirement,
  contract,
}: Pick<Verdict, 'requirement' | 'contract'>): string {
  const { says, where } = requirements[requirement]
  return `${says}   ${contract} › ${where}`
}

/** The exchange in which something broke, else the last one. */
export function exchangeOf({ exchanges }: Verdict, broken?: Finding): ExchangeRecord | undefined {
  return exchanges.find(({ number }) => number === broken?.exchange) ?? exchanges.at(-1)
}

/** A short account of what broke, in one line. */
export function briefOf({ expectations, reason }: Verdict): string {
  const broken = expectations.find(({ held }) => !held)
  return broken === undefined
    ? (reason ?? '').split('\n')[0]!
    : `expected ${broken.expected}; received ${broken.received}`
}

/** A topic's title, as the catalogue has it. */
export function topicTitle(contract: string, topic: string): string {
  return (
    topics.find((known) => known.contract === contract && known.topic === topic)?.title ?? topic
  )
}

/** What a topic is called beside those of its run: where several contracts are judged, with its own. */
export function topicTitleAmong(
  planned: readonly { contract: string }[],
): (contract: string, topic: string) => string {
  const several = planned.some(({ contract }) => contract !== planned[0]?.contract)
  return (contract, topic) =>
    several ? `${contract} › ${topicTitle(contract, topic)}` : topicTitle(contract, topic)
}

/** «1 check», «2 checks» */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Text from outside without what would steer a terminal or break a document: control characters become pictures of themselves. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) =>
    character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '�',
  )
}

/** The status of an answer; what has none, since it came over no HTTP, has 0. */
export const statusText = ({ status }: { status: number }): string =>
  status === 0 ? 'what came' : String(status)
