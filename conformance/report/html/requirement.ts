import { requirements } from '../../../generated/requirements/index.ts'
import { outcomes, type Outcome, type Stage, type Verdict, type Wait } from '../../engine/index.ts'
import {
  commandOf,
  count,
  describeExpected,
  distinct,
  exchangesFile,
  requiredLines,
  shortList,
  symbols,
  words,
  type DistinctFinding,
} from '../explanation.ts'
import type { Result } from '../result.ts'
import { command, exchangeMarkup, marked } from './exchange.ts'
import { markup, type Child, type Markup } from './markup.ts'
import { markDifference, placeOf } from './place.ts'

/** At most this many distinct findings of a check are shown. */
const maxFindings = 10
/** Outcomes that the page explains in full. */
const explained = new Set<Outcome>(['fail', 'error', 'warn', 'known', 'stale'])

/** The folder next to the report that can contain the pages of `touchstone docs`. */
export const docsFolder = 'docs'

/** The verdicts of all checks of a requirement. */
export interface RequirementGroup {
  id: Verdict['requirement']
  verdicts: Verdict[]
  /** The worst outcome of its checks. */
  worst: Outcome
}

/** Groups verdicts by requirement, in the order in which requirements first appear. */
export function byRequirement(verdicts: readonly Verdict[]): RequirementGroup[] {
  const groups = new Map<string, RequirementGroup>()
  for (const verdict of verdicts) {
    const { requirement: id, verdict: outcome } = verdict
    const group = groups.get(id) ?? { id, verdicts: [], worst: outcome }
    group.verdicts.push(verdict)
    if (outcomes.indexOf(outcome) < outcomes.indexOf(group.worst)) group.worst = outcome
    groups.set(id, group)
  }
  return [...groups.values()]
}

/** The class of an outcome, for its colour. */
export const classOf = (outcome: Outcome): string => outcome.replace(' ', '-')

/** A link to a requirement in the page. */
export const linkTo = (id: string): Markup => markup`<a class="id" href="#${id}">${id}</a>`

/** A symbol. It is hidden from screen readers, which read the word after it. */
export const symbolOf = (outcome: Outcome): Markup =>
  markup`<span class="symbol ${classOf(outcome)}" aria-hidden="true">${symbols[outcome]}</span>`

/**
 * A requirement and its checks, as an element that the user can open. It has the id of the
 * requirement, for links. `level` is the level of its heading. If the page of its contract is one
 * of `pages`, links to it there.
 */
export function requirementMarkup(
  { id, verdicts, worst }: RequirementGroup,
  result: Result,
  {
    isOpen = false,
    level = 4,
    pages = [],
  }: { isOpen?: boolean; level?: 3 | 4; pages?: readonly string[] } = {},
): Markup {
  const [first] = verdicts
  const lines = requiredLines(first!)
  const [[, statement] = ['', '']] = lines
  const present = outcomes.filter((outcome) => verdicts.some(({ verdict }) => verdict === outcome))
  const countOf = (outcome: Outcome) => {
    const number = verdicts.filter(({ verdict }) => verdict === outcome).length
    return verdicts.length === 1 ? words[outcome] : `${number} ${words[outcome]}`
  }
  const worstFirst = verdicts.toSorted(
    (one, other) => outcomes.indexOf(one.verdict) - outcomes.indexOf(other.verdict),
  )
  const heading = markup`${symbolOf(worst)} <code>${id}</code> ${verdicts.length === 1 ? first!.title : statement}`
  return markup`<details class="requirement ${classOf(worst)}" id="${id}" data-level="${first!.level}" data-topic="${topicKey(first!)}" data-outcomes="${present.map(classOf).join(' ')}"${isOpen ? markup` open` : ''}><summary>${level === 3 ? markup`<h3>${heading}</h3>` : markup`<h4>${heading}</h4>`} <span class="soft">${present.map((outcome) => countOf(outcome)).join(', ')}, ${first!.level}</span></summary>
<div class="body"><dl class="facts">${lines.map(([label, text]) => markup`<dt>${label}</dt><dd>${text}</dd>`)}<dt>link</dt><dd>${linkTo(id)}</dd>${pages.includes(first!.contract) ? markup`<dt>contract</dt><dd><a href="${docsFolder}/${first!.contract}.html#${id}">${id} in the contract</a></dd>` : ''}</dl>
${worstFirst.map((verdict) => checkMarkup(verdict, result, { isOnly: verdicts.length === 1 }))}</div></details>
`
}

/** Identifies a topic in the page. */
export const topicKey = ({ contract, topic }: { contract: string; topic: string }): string =>
  `${contract}/${topic}`

function checkMarkup(verdict: Verdict, result: Result, { isOnly }: { isOnly: boolean }): Markup {
  const { verdict: outcome, title, reason, differs, expectedFailure, observations = [] } = verdict
  const findings = distinct(verdict)
  const facts: [string, Child][] = []
  if (reason !== undefined)
    facts.push(['because', reason.includes('\n') ? markup`<pre>${reason}</pre>` : reason])
  if (verdict.blockedBy !== undefined) facts.push(['blocked by', linkTo(verdict.blockedBy)])
  if (expectedFailure !== undefined)
    facts.push(['known', describeExpected(outcome, expectedFailure)])
  if (differs !== undefined)
    facts.push(['request', `differs ${differs} from a request that the server accepted`])
  if (observations.length > 0) facts.push(['observed', listOf(observations)])
  const time = timeOf(verdict)
  if (time !== undefined) facts.push(['time', time])
  return markup`<div class="check">${isOnly ? '' : markup`<p class="title">${symbolOf(outcome)} <b>${title}</b> <span class="soft">${words[outcome]}</span></p>`}
${findings.slice(0, maxFindings).map((finding) => findingMarkup(finding))}${findings.length > maxFindings ? markup`<p>${count(findings.length - maxFindings, 'more difference')}, in <code>report.json</code></p>` : ''}
${facts.length === 0 ? '' : markup`<dl class="facts">${facts.map(([label, text]) => markup`<dt>${label}</dt><dd>${text}</dd>`)}</dl>`}
${explained.has(outcome) ? commands(verdict, result) : ''}${heldMarkup(verdict)}${exchangesMarkup(verdict, findings, result)}</div>
`
}

/** What was expected and received, side by side, with the difference marked. */
function findingMarkup({ expected, received, labels, occurrence }: DistinctFinding): Markup {
  const label = labels.length === 0 ? '' : ` (${shortList(labels)})`
  return markup`<dl class="sides"><div><dt class="label">Expected${label}</dt><dd>${expected}</dd></div><div><dt class="label">Received${occurrence === '' ? '' : ` (${occurrence})`}</dt><dd><code>${marked(markDifference(expected, received))}</code></dd></div></dl>
`
}

function commands(verdict: Verdict, { repeat, exchangesFolder }: Result): Markup {
  const broken = verdict.expectations.filter(({ held }) => !held)
  const curl = commandOf(verdict, broken, exchangesFolder)
  return markup`${command('repeat', repeat(verdict))}${curl === undefined ? '' : command('curl', curl)}
`
}

/** The expectations that were met. */
function heldMarkup({ expectations }: Verdict): Markup {
  const held = [...new Set(expectations.filter((one) => one.held).map(({ expected }) => expected))]
  if (held.length === 0) return markup``
  const shown = held.slice(0, maxFindings)
  if (held.length > maxFindings) shown.push(`and ${held.length - maxFindings} more`)
  return markup`<p class="label">Expectations that were met</p>${listOf(shown)}
`
}

/** The exchanges. Those that did not meet an expectation come first, and the first one is open. */
function exchangesMarkup(
  verdict: Verdict,
  findings: readonly DistinctFinding[],
  { exchangesFolder }: Result,
): Markup {
  const { exchanges } = verdict
  if (exchanges.length === 0) return markup``
  const findingOf = new Map(
    findings.toReversed().map((finding) => [finding.exchange, finding] as const),
  )
  const examined = exchanges.filter(({ number }) => findingOf.has(number))
  const others = exchanges.filter(({ number }) => !findingOf.has(number))
  const isWhole = examined.length === 0
  return markup`<div class="exchanges">${examined.map((exchange, index) =>
    exchangeMarkup(exchange, {
      isOpen: index === 0,
      differs: verdict.differs,
      place: placeOf(findingOf.get(exchange.number)!, exchange.response?.body ?? ''),
    }),
  )}${
    others.length === 0
      ? ''
      : markup`<details><summary>${count(others.length, isWhole ? 'exchange' : 'other exchange')}</summary>${others.map((exchange) => exchangeMarkup(exchange))}</details>`
  }${exchangesFolder !== undefined && explained.has(verdict.verdict) ? markup`<p class="soft">In full: <code>${exchangesFile(verdict)}</code></p>` : ''}</div>
`
}

const listOf = (texts: readonly string[]): Markup =>
  markup`<ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul>`

/** When the check ran, and what it waited for. */
function timeOf({ timing }: Verdict): string | undefined {
  if (timing === undefined) return undefined
  const waits = timing.waits.map((wait) => `${wait.milliseconds} ms for ${nameOfWait(wait)}`)
  return `${seconds(timing.startMs)} to ${seconds(timing.endMs)}${waits.length === 0 ? '' : `; waited ${waits.join(', ')}`}`
}

/** Formats a time in seconds. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`

/** What a check that waits for a stage waits for. */
const stageWaits: Readonly<Record<Stage, string>> = {
  'late-writes': 'all other checks to end or wait',
  'stable-reads': 'all other checks to stop writing',
  'single-writes': 'all other checks to stop comparing reads',
  final: 'the checks that write one after the other',
}

/** Names what a check waited for. */
export function nameOfWait({ kind, name }: Pick<Wait, 'kind' | 'name'>): string {
  if (kind === 'stage') return stageWaits[name as Stage]
  if (kind === 'requirement') return `the verdict of ${name}`
  return kind === 'lock'
    ? `checks that must not run at the same time (${name})`
    : `what several checks need (${name})`
}

/** The statement of a requirement. */
export const statementOf = (id: Verdict['requirement']): string => requirements[id].statement
