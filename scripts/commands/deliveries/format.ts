import { showHidden } from '../../../conformance/engine/index.ts'
import { shortList } from '../../../conformance/report/explanation.ts'
import { Screen, type Out } from '../../../conformance/report/screen.ts'

import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import type { DeliveryFinding } from './finding.ts'
import type { JudgedDelivery, DeliveryVerdict } from './judge.ts'

export type DeliveryTotals = Record<'ok' | 'warned' | 'failed' | 'notJudged', number>

const totalOf: Record<DeliveryVerdict, keyof DeliveryTotals> = {
  ok: 'ok',
  warns: 'warned',
  fails: 'failed',
  'not judged': 'notJudged',
}

/**
 * Formats deliveries and their verdicts for people, and counts them. Wraps lines on a terminal.
 * Elsewhere, each finding is one line.
 */
export class DeliveryFormatter {
  readonly screen: Screen
  readonly totals: DeliveryTotals = { ok: 0, warned: 0, failed: 0, notJudged: 0 }
  /** In how many deliveries each requirement of level `must` or `should` was not met. */
  readonly requirementTotals = new Map<RequirementId, number>()
  private broken = 0
  private readonly words: Record<DeliveryVerdict, string>

  constructor(out: Out = process.stdout) {
    this.screen = new Screen(out)
    const { green, yellow, red } = this.screen.color
    this.words = {
      ok: green('ok        '),
      warns: yellow('warns     '),
      fails: red('fails     '),
      'not judged': 'not judged',
    }
  }

  count({ verdict, findings }: JudgedDelivery): void {
    this.totals[totalOf[verdict]] += 1
    if (findings.length === 0) return
    const ids = new Set(
      findings
        .filter(({ level }) => level === 'must' || level === 'should')
        .flatMap(({ requirement }) => requirement ?? []),
    )
    if (ids.size > 0) this.broken += 1
    for (const id of ids) this.requirementTotals.set(id, (this.requirementTotals.get(id) ?? 0) + 1)
  }

  /**
   * Formats a delivery: verdict, event and details, then the findings. Without a terminal, the
   * first finding is on the same line, so that grep shows it with the delivery.
   */
  lines(
    { event, verdict, findings }: JudgedDelivery,
    details: readonly string[],
    prefix = '',
  ): string {
    const start = prefix === '' ? '' : `${prefix}  `
    const rest = `${(event ?? 'unknown').padEnd(13)}  ${details.map(showHidden).join('  ')}`
    const head = `${this.screen.color.dim(start)}${this.words[verdict]}  ${rest}`
    if (findings.length === 0) return head
    const indent = start.length + 'not judged  '.length
    const texts = fold(findings).map((found) => this.formatFinding(found, indent))
    const first = this.screen.live ? '' : `  ${texts.shift()}`
    return `${head}${first}${texts.map((text) => `\n${' '.repeat(indent)}${text}`).join('')}`
  }

  /**
   * Returns a line for each requirement that was not met, the most frequent ones first. Returns
   * nothing if only one delivery has findings, because its lines already show them.
   */
  tally(): string[] {
    if (this.broken < 2) return []
    const { color } = this.screen
    const entries = [...this.requirementTotals].sort(
      ([id, count], [other, otherCount]) => otherCount - count || (id < other ? -1 : 1),
    )
    const width = Math.max(...entries.map(([id]) => id.length))
    const digits = String(entries[0]![1]).length
    const lines = entries.map(([id, count]) => {
      const { level, statement } = requirements[id]
      const result = level === 'must' ? color.red('failed') : color.yellow('warned')
      const start = width + digits + '    failed  '.length
      const text = this.screen.live ? this.screen.wrap(statement, start) : showHidden(statement)
      return `${id.padEnd(width)}  ${String(count).padStart(digits)} ${result}  ${text}`
    })
    return ['', 'Requirements that were not met, and in how many deliveries:', ...lines, '']
  }

  /** Returns a summary, such as "3 deliveries: 1 ok, 2 failed". */
  summary(): string {
    const { ok, warned, failed, notJudged } = this.totals
    const { green, yellow, red } = this.screen.color
    const parts = [
      green(`${ok} ok`),
      ...(warned > 0 ? [yellow(`${warned} with a warning`)] : []),
      ...(failed > 0 ? [red(`${failed} failed`)] : []),
      ...(notJudged > 0 ? [`${notJudged} not judged`] : []),
    ]
    return `${countDeliveries(countAll(this.totals))}: ${parts.join(', ')}`
  }

  private formatFinding(found: DeliveryFinding, indent: number): string {
    const text = this.screen.live
      ? this.screen.wrap(textOf(found), indent)
      : showHidden(textOf(found))
    const { requirement } = found
    return requirement === undefined
      ? text
      : text.replace(requirement, this.screen.color.dim(requirement))
  }
}

/** The number of deliveries with any verdict. */
export const countAll = ({ ok, warned, failed, notJudged }: DeliveryTotals): number =>
  ok + warned + failed + notJudged

/** Returns "1 delivery" or "2 deliveries". */
export function countDeliveries(count: number): string {
  return `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
}

/** At most this many places of a folded finding are named. */
const maxPlaces = 3

/**
 * Merges the findings of one delivery that have the same requirement and expectation. The path of
 * the result lists the places, with an asterisk in place of the indexes of arrays.
 */
function fold(findings: readonly DeliveryFinding[]): DeliveryFinding[] {
  const groups = new Map<string, DeliveryFinding[]>()
  for (const found of findings) {
    const key = JSON.stringify([found.requirement, found.expected])
    groups.set(key, [...(groups.get(key) ?? []), found])
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [DeliveryFinding]
    if (group.length === 1) return first
    const shapes = [
      ...new Set(group.map(({ path }) => path.replace(/\/\d+(?=\/|$)/g, '/*') || 'body')),
    ]
    const places = shapes.length < group.length ? ` (${group.length} places)` : ''
    const differ = group.some(({ received }) => received !== first.received)
    return {
      ...first,
      path: `${shortList(shapes, maxPlaces)}${places}`,
      received: differ ? `${group.length} wrong values, such as ${first.received}` : first.received,
    }
  })
}

function textOf({ path, expected, received, requirement, level }: DeliveryFinding): string {
  const mark = level === 'must' ? '' : ` (${level})`
  return `${path === '' ? 'body' : path}: expected ${expected}; received ${received}${requirement === undefined ? '' : `  ${requirement}${mark}`}`
}
