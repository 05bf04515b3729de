import { printableJson } from '../../../conformance/engine/index.ts'
import type { Out } from '../../../conformance/report/screen.ts'
import type { JudgedDelivery } from '../deliveries/judge.ts'
import { LineWriter } from '../deliveries/lines.ts'
import {
  countAll,
  countDeliveries,
  DeliveryFormatter,
  type DeliveryTotals,
} from '../deliveries/format.ts'
import type { Place, Print } from './read.ts'

export interface PrintOptions {
  quiet?: boolean
  json?: boolean
  /** Whether tokens could be compared with a secret. */
  hasSecret?: boolean
}

/** Prints verdicts, as text or as JSON. */
export class ValidatePrinter {
  private readonly options: PrintOptions
  private readonly lines: LineWriter
  private readonly formatter: DeliveryFormatter
  private uncheckedTokens = 0

  constructor(options: PrintOptions, out: Out = process.stdout) {
    this.options = options
    this.lines = new LineWriter(out)
    this.formatter = new DeliveryFormatter(out)
  }

  get totals(): DeliveryTotals {
    return this.formatter.totals
  }

  readonly print: Print = (judged, name, place) => {
    this.formatter.count(judged)
    if (judged.token === 'not checked') this.uncheckedTokens += 1
    if (this.options.quiet === true && judged.verdict === 'ok') return
    this.lines.add(
      this.options.json === true
        ? asJson(judged, name, place)
        : this.formatter.lines(judged, [name + (place === undefined ? '' : textOf(place))]),
    )
    // On a terminal, each verdict appears immediately.
    if (this.formatter.screen.live) this.lines.flush()
  }

  end(exit: number): void {
    const total = countAll(this.totals)
    if (this.options.json === true)
      this.lines.add(
        printableJson({
          summary: {
            deliveries: total,
            ...this.totals,
            tokensNotChecked: this.uncheckedTokens,
            requirements: Object.fromEntries(this.formatter.requirementTotals),
            exit,
          },
        }),
      )
    else if (total > 0) {
      for (const line of this.formatter.tally()) this.lines.add(line)
      if (this.uncheckedTokens > 0) this.lines.add(this.tokenNote())
      this.lines.add(this.formatter.summary())
    }
    this.lines.flush()
  }

  private tokenNote(): string {
    const { screen } = this.formatter
    const reason =
      this.options.hasSecret === true
        ? 'it was not saved'
        : 'no secret is given. Set RECEIVER_SECRET or use --token'
    const where = `in ${countDeliveries(this.uncheckedTokens)}: ${reason}`
    return screen.color.dim(screen.wrap(`token not checked ${where}`, 0))
  }
}

function asJson(
  { event, verdict, findings, token }: JudgedDelivery,
  file: string,
  place: Place | undefined,
): string {
  return printableJson({
    verdict,
    event: event ?? null,
    file,
    ...place,
    ...(token === undefined ? {} : { token }),
    findings,
  })
}

function textOf({ line, index }: Place): string {
  return index === undefined ? `:${line}` : `[${index}]`
}
