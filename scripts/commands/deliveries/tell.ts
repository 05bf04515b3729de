import { Screen, type Out } from '../../../conformance/report/screen.ts'
import { plain } from '../../../conformance/report/story.ts'
import type { DeliveryFinding } from './finding.ts'
import type { JudgedDelivery, DeliveryVerdict } from './judge.ts'

export type DeliveryTotals = Record<'ok' | 'warned' | 'failed', number>

const totalOf: Record<DeliveryVerdict, keyof DeliveryTotals> = {
  ok: 'ok',
  warns: 'warned',
  fails: 'failed',
}

/** Tells people of deliveries and their verdicts. What stands on a terminal is broken at its edge; what goes elsewhere keeps each finding in one line. */
export class Teller {
  readonly screen: Screen
  readonly totals: DeliveryTotals = { ok: 0, warned: 0, failed: 0 }
  private readonly words: Record<DeliveryVerdict, string>

  constructor(out: Out = process.stdout) {
    this.screen = new Screen(out)
    const { green, yellow, red } = this.screen.color
    this.words = { ok: green('ok   '), warns: yellow('warns'), fails: red('fails') }
  }

  /** Counts a verdict. */
  count({ verdict }: JudgedDelivery): void {
    this.totals[totalOf[verdict]] += 1
  }

  /** What there is to say of a delivery: verdict, event and more words; then what differs. Where no terminal is, the first of it stands in the same line, to be searched for. */
  lines(
    { event, verdict, findings }: JudgedDelivery,
    more: readonly string[],
    before = '',
  ): string {
    const start = before === '' ? '' : `${before}  `
    const rest = `${(event ?? 'unknown').padEnd(13)}  ${more.map(plain).join('  ')}`
    const head = `${this.screen.color.dim(start)}${this.words[verdict]}  ${rest}`
    if (findings.length === 0) return head
    const indent = start.length + 'fails  '.length
    const texts = findings.map((found) => this.finding(found, indent))
    const beside = this.screen.live ? '' : `  ${texts.shift()}`
    return `${head}${beside}${texts.map((text) => `\n${' '.repeat(indent)}${text}`).join('')}`
  }

  /** «3 deliveries: 1 ok, 2 failed» */
  summary(): string {
    const { ok, warned, failed } = this.totals
    const { green, yellow, red } = this.screen.color
    const parts = [
      green(`${ok} ok`),
      ...(warned > 0 ? [yellow(`${warned} warned`)] : []),
      ...(failed > 0 ? [red(`${failed} failed`)] : []),
    ]
    return `${deliveries(ok + warned + failed)}: ${parts.join(', ')}`
  }

  private finding(found: DeliveryFinding, indent: number): string {
    const text = this.screen.live ? this.screen.wrap(textOf(found), indent) : plain(textOf(found))
    const { requirement } = found
    return requirement === undefined
      ? text
      : text.replace(requirement, this.screen.color.dim(requirement))
  }
}

/** «1 delivery», «2 deliveries» */
export function deliveries(count: number): string {
  return `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
}

function textOf({ path, expected, received, requirement, level }: DeliveryFinding): string {
  const mark = level === 'must' ? '' : ` (${level})`
  return `${path === '' ? 'body' : path}: ${expected}; received ${received}${requirement === undefined ? '' : `  ${requirement}${mark}`}`
}
