import { totalsOf, type Outcome, type Verdict } from '../engine/index.ts'
import { byTopic, idsOf } from './groups.ts'
import type { Head } from './result.ts'
import type { Colors, Screen } from './screen.ts'
import { briefOf, count, severity, symbols, topicTitlesFor, words } from './explanation.ts'

/**
 * If nothing was printed for this many milliseconds, completed topics are printed before earlier
 * ones that are still incomplete.
 */
const maxPauseMs = 1000

/**
 * A topic lists each check with one of these outcomes. Checks with other outcomes are only counted
 * here; the end of the report groups them by cause.
 */
const listedOutcomes = new Set<Outcome>(['fail', 'error', 'warn', 'known'])

export const paint: Record<Outcome, (color: Colors) => (text: string) => string> = {
  pass: (color) => color.green,
  fail: (color) => color.red,
  warn: (color) => color.yellow,
  observed: (color) => color.cyan,
  blocked: (color) => color.magenta,
  'not covered': (color) => color.dim,
  'not applicable': (color) => color.dim,
  error: (color) => color.red,
  known: (color) => color.yellow,
  stale: (color) => color.red,
}

const reasonKey = (verdict: Verdict): string => `${verdict.verdict} ${briefOf(verdict)}`

/** The outcomes of checks without a result. The end of a report groups them, too. */
const withoutResult = new Set<Outcome>(['not applicable', 'not covered', 'blocked'])

/** At least this many checks of a topic without a result are printed together. */
const minTogether = 3

/** The checks that are printed together, by `reasonKey`. */
function byReason(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const groups = new Map<string, Verdict[]>()
  for (const verdict of verdicts) {
    if (!withoutResult.has(verdict.verdict)) continue
    const key = reasonKey(verdict)
    groups.set(key, [...(groups.get(key) ?? []), verdict])
  }
  return new Map([...groups].filter(([, group]) => group.length >= minTogether))
}

/**
 * Prints each topic when all its verdicts are known: in the order of the plan, unless an earlier
 * topic takes long.
 */
export class Topics {
  private readonly screen: Screen
  private readonly verbose: boolean
  private readonly waiting: { contract: string; topic: string; keys: string[] }[]
  private readonly known = new Map<string, Verdict>()
  private readonly width: number
  private readonly titleOf: (contract: string, topic: string) => string
  private readonly now: () => number
  private last: number
  /**
   * The verdicts of topics without an applicable check, and those to which an entry of the user
   * applies, by the reason of the verdict.
   */
  private readonly hidden = new Map<string, Verdict[]>()

  constructor(
    screen: Screen,
    { planned }: Head,
    { verbose, now = Date.now }: { verbose: boolean; now?: () => number },
  ) {
    this.screen = screen
    this.verbose = verbose
    this.now = now
    this.last = now()
    this.waiting = byTopic(planned).map(({ contract, topic, verdicts }) => ({
      contract,
      topic,
      keys: verdicts.map(({ key }) => key),
    }))
    this.titleOf = topicTitlesFor(planned)
    this.width = Math.max(
      ...this.waiting.map(({ contract, topic }) => this.titleOf(contract, topic).length),
      0,
    )
  }

  add(verdict: Verdict): void {
    this.known.set(verdict.key, verdict)
    this.print(this.now() - this.last > maxPauseMs)
  }

  /** Prints all remaining topics, complete or not, and then the topics that are not applicable. */
  finish(): void {
    this.print(true)
    for (const topic of this.waiting.splice(0))
      this.printTopic(topic.contract, topic.topic, this.verdictsOf(topic.keys))
    const { color } = this.screen
    for (const [reason, verdicts] of this.hidden) {
      const names = new Set(
        verdicts.map(({ contract, topic }) => this.titleOf(contract, topic).split(' › ')[0]!),
      )
      const number = `${verdicts.length} ${words['not applicable']}`
      this.screen.line(
        `${this.mark('not applicable')} ${color.dim(this.screen.wrap(`${[...names].join(', ')}: ${number}, because ${reason}`, 2))}`,
      )
      if (this.verbose)
        this.screen.line(color.dim(`    ${this.screen.wrap(this.topicsOf(verdicts), 4)}`))
    }
  }

  /** Lists topics with the number of their checks: "JSON Web Tokens 12, Consent 3". */
  private topicsOf(verdicts: readonly Verdict[]): string {
    return byTopic(verdicts)
      .map(
        ({ contract, topic, verdicts: own }) => `${this.titleOf(contract, topic)} (${own.length})`,
      )
      .join(', ')
  }

  private print(outOfTurn: boolean): void {
    for (let index = 0; index < this.waiting.length;) {
      const { contract, topic, keys } = this.waiting[index]!
      const verdicts = this.verdictsOf(keys)
      if (verdicts.length === keys.length) {
        this.waiting.splice(index, 1)
        this.last = this.now()
        this.printTopic(contract, topic, verdicts)
      } else if (outOfTurn) index += 1
      else return
    }
  }

  private verdictsOf(keys: readonly string[]): Verdict[] {
    return keys.map((key) => this.known.get(key)).filter((verdict) => verdict !== undefined)
  }

  private printTopic(contract: string, topic: string, verdicts: readonly Verdict[]): void {
    if (verdicts.length === 0) return
    const { color } = this.screen
    const totals = totalsOf(verdicts)
    // Topics of features that the target does not have are counted together, and so are all checks
    // to which an entry of the user applies.
    const isHidden = totals['not applicable'] === verdicts.length
    for (const verdict of verdicts) {
      if (!isHidden && verdict.reasonCode !== 'declared-absent') continue
      const { reason = 'the feature is optional' } = verdict
      this.hidden.set(reason, [...(this.hidden.get(reason) ?? []), verdict])
    }
    if (isHidden) return
    const worst = severity.find((outcome) => totals[outcome] > 0)!
    const counts = Object.entries(totals)
      .filter(([, number]) => number > 0)
      .map(([outcome, number]) => ({
        text: `${number} ${words[outcome as Outcome]}`,
        color: paint[outcome as Outcome](color),
      }))
    this.screen.line(
      `${this.mark(worst)} ${this.row(this.titleOf(contract, topic), counts, color.bold)}`,
    )
    const folded = this.verbose ? byReason(verdicts) : new Map<string, Verdict[]>()
    for (const verdict of verdicts) {
      const group = folded.get(reasonKey(verdict))
      if (group === undefined) {
        if (this.verbose || listedOutcomes.has(verdict.verdict)) this.detail(verdict)
      } else if (group[0] === verdict) this.reason(group)
    }
  }

  /** Prints several checks that have no result for the same reason. */
  private reason(verdicts: readonly Verdict[]): void {
    const { verdict: outcome } = verdicts[0]!
    const text = `${count(verdicts.length, 'check')} ${words[outcome]}: ${briefOf(verdicts[0]!)}`
    this.screen.line(`    ${this.mark(outcome)} ${this.screen.wrap(text, 6)}`)
    this.screen.line(this.screen.color.dim(`        ${this.screen.wrap(idsOf({ verdicts }), 8)}`))
  }

  private detail(verdict: Verdict): void {
    const { requirement, title, durationMs } = verdict
    const time = this.verbose && durationMs > 0 ? this.screen.color.dim(`  ${durationMs} ms`) : ''
    this.screen.line(
      `    ${this.mark(verdict.verdict)} ${requirement}  ${this.screen.wrap(title, requirement.length + 8)}${time}`,
    )
    if (!this.verbose || verdict.verdict === 'pass' || verdict.verdict === 'fail') return
    const notes = verdict.verdict === 'observed' ? (verdict.observations ?? []) : [briefOf(verdict)]
    for (const note of notes)
      if (note !== '')
        this.screen.line(this.screen.color.dim(`        ${this.screen.wrap(note, 8)}`))
  }

  /**
   * Formats a title and its counts. The counts of all topics begin in the same column, except after
   * a title that is too long. Counts that do not fit are on further lines.
   */
  private row(
    title: string,
    counts: readonly { text: string; color: (text: string) => string }[],
    emphasize: (text: string) => string,
  ): string {
    const indent = 4
    const column = Math.min(this.width, Math.floor(this.screen.width / 2))
    const lines = [
      { text: emphasize(title.padEnd(column)), length: 2 + title.padEnd(column).length },
    ]
    for (const [index, { text, color }] of counts.entries()) {
      const last = lines.at(-1)!
      const separator = index === 0 ? '  ' : ', '
      const more = separator.length + text.length + (index === counts.length - 1 ? 0 : 1)
      if (last.length + more <= this.screen.width)
        lines[lines.length - 1] = {
          text: `${last.text}${separator}${color(text)}`,
          length: last.length + separator.length + text.length,
        }
      else {
        if (index > 0) last.text += ','
        lines.push({ text: ' '.repeat(indent) + color(text), length: indent + text.length })
      }
    }
    return lines.map(({ text }) => text).join('\n')
  }

  private mark(outcome: Outcome): string {
    return paint[outcome](this.screen.color)(symbols[outcome])
  }
}
