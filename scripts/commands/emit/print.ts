import { showHidden } from '../../../conformance/engine/index.ts'
import { Screen, type Out } from '../../../conformance/report/screen.ts'

import type { DeliveryResult } from '../../../mocks/deliveries/send.ts'
import { countDeliveries } from '../deliveries/format.ts'
import { bodyLines } from '../deliveries/response.ts'
import { trustAdvice } from '../trust.ts'
import type { Plan, Step } from './plan.ts'
import { statusOrReason, isAcknowledged, isRefused, type EmitTotals, type Tally } from './tally.ts'

/** Maximum number of failures that are printed if deliveries are repeated. */
const maxFailures = 5
/** How often the progress line is updated, in milliseconds. */
const progressInterval = 200

/**
 * Prints the results of deliveries for people. If deliveries are repeated, prints only the first
 * failures.
 */
export class EmitPrinter {
  private readonly screen: Screen
  private readonly each: boolean
  private readonly width: number
  private readonly hasWrongToken: boolean
  private failures = 0
  private timer: NodeJS.Timeout | undefined

  /** With a wrong token, the expected result of a delivery is a refusal. */
  constructor(plan: Plan, { hasWrongToken = false, out = process.stdout as Out } = {}) {
    this.screen = new Screen(out)
    this.hasWrongToken = hasWrongToken
    this.each = plan.times === 1
    this.width = Math.max(...plan.steps.map((step) => labelOf(step).length))
  }

  /** `notes` are lines about what is sent. */
  start(url: string, total: number, tally: Tally, notes: readonly string[] = []): void {
    const { screen } = this
    screen.line(screen.color.dim(`${countDeliveries(total)} to ${showHidden(url)}`))
    for (const note of notes) screen.line(screen.color.dim(screen.wrap(note, 0)))
    if (!this.each && this.screen.live)
      this.timer = setInterval(
        () =>
          this.screen.progress(
            `${tally.deliveries} of ${total}, ${tally.deliveries - tally.asExpected(this.hasWrongToken)} not ${this.expected}`,
          ),
        progressInterval,
      )
  }

  result(step: Step, sent: DeliveryResult): void {
    const good = this.isGood(sent)
    if (!good) this.failures += 1
    if (!this.each && (good || this.failures > maxFailures)) return
    const { caption } = step
    if (caption !== undefined && this.each)
      this.screen.line(
        `${this.screen.color.dim(caption.at.slice(11, 16))}  ${this.screen.wrap(caption.sentence, 7)}`,
      )
    const indent = caption !== undefined && this.each ? 7 : 0
    this.screen.line(this.line(step, sent, indent))
    if (!good && sent.failure === undefined)
      for (const line of bodyLines(sent.body, { screen: this.screen, indent: indent + 2 }))
        this.screen.line(line)
  }

  private get expected(): string {
    return this.hasWrongToken ? 'refused' : 'acknowledged'
  }

  private isGood(sent: DeliveryResult): boolean {
    return this.hasWrongToken ? isRefused(sent) : isAcknowledged(sent)
  }

  /** `good` is the number of deliveries with the expected result. */
  end(figures: EmitTotals, good: number, hint: string | undefined): void {
    clearInterval(this.timer)
    const { color } = this.screen
    // Clears the ^C that a terminal shows.
    this.screen.progress('')
    const { deliveries: count, durationMs, times, responses } = figures
    const missing = count - good
    const parts = [
      color.green(`${good} ${this.expected}`),
      ...(missing === 0 ? [] : [color.red(`${missing} not`)]),
    ]
    const pace =
      this.each || durationMs === 0
        ? ''
        : ` in ${(durationMs / 1000).toFixed(1)} s${rateOf(figures)}`
    if (count !== 1) this.screen.line(`${countDeliveries(count)}${pace}: ${parts.join(', ')}`)
    if (!this.each && times !== null) {
      this.screen.line(
        color.dim(
          `responses  ${Object.entries(responses)
            .map(([response, often]) => `${response} × ${often}`)
            .join(', ')}`,
        ),
      )
      this.screen.line(
        color.dim(
          `times      median ${times.median} ms, 95th percentile ${times.p95} ms, longest ${times.longest} ms`,
        ),
      )
    }
    if (hint !== undefined) this.screen.line(color.dim(this.screen.wrap(hint, 0)))
  }

  private line(step: Step, sent: DeliveryResult, indent: number): string {
    const { color } = this.screen
    const good = this.isGood(sent)
    const mark = good
      ? color.green(`✓ ${statusOrReason(sent)}`)
      : color.red(`✗ ${sent.status ?? statusOrReason(sent)}`)
    const [label, time] = [labelOf(step), `${sent.durationMs.toFixed(1)} ms`]
    const head =
      indent > 0 ? `${label}  ${time}` : `${label.padEnd(this.width)}  ${time.padStart(8)}`
    // The body of a response that is not 2xx is printed below the line.
    const text = showHidden(sent.failure?.message ?? (good ? sent.body : ''))
      .replace(/\s+/g, ' ')
      .trim()
    const room = this.screen.width - indent - 7 - head.length - 2
    const shown = text.length > room ? `${text.slice(0, Math.max(10, room - 1))}…` : text
    return `${' '.repeat(indent)}${mark}  ${head}${shown === '' ? '' : `  ${color.dim(shown)}`}`
  }
}

/** Does not apply if the receiver acknowledged another delivery at the same URL. */
const wrongPathHint =
  'The receiver does not accept deliveries at that path. Correct the URL in --to.'

const unreachableHint = 'No server listens there. npx touchstone listen starts a receiver.'
const stoppedHint =
  'The receiver responded before, but not any more. It may have ended: see what it printed.'

/**
 * Chooses a hint for the end of the output. If the receiver responded to other deliveries, hints
 * that blame the address do not apply.
 */
export function chooseHint(
  hints: ReadonlySet<string>,
  { acknowledged, responses }: Pick<EmitTotals, 'acknowledged' | 'responses'>,
): string | undefined {
  const [hint] = [...hints].filter((one) => one !== wrongPathHint || acknowledged === 0)
  const hasResponded = Object.keys(responses).some((status) => /^\d+$/.test(status))
  return hint === unreachableHint && hasResponded ? stoppedHint : hint
}

/** Returns what to try if a delivery was not acknowledged. */
export function hintFor(
  { status, failure }: DeliveryResult,
  {
    token,
    insecure,
    method = 'POST',
  }: { token: 'none' | 'set' | 'wrong'; insecure: boolean; method?: string | undefined },
): string | undefined {
  if (failure?.reason === 'unreachable') return unreachableHint
  if (failure?.reason === 'tls') {
    if (insecure) return undefined
    const advice = trustAdvice(failure.message)
    return `The certificate cannot be verified. ${advice === undefined ? '' : `To trust it, ${advice}. `}--insecure skips the verification.`
  }
  if (failure?.reason === 'timeout')
    return 'The response came too late. --timeout 30s waits longer.'
  if ((status === 401 || status === 403) && token === 'none')
    return 'The receiver may require a token: export RECEIVER_SECRET=…, or use --token.'
  if ((status === 401 || status === 403) && token === 'set')
    return 'The receiver refuses the token. Compare its secret with --token or RECEIVER_SECRET.'
  if (token === 'wrong')
    return status !== undefined && status >= 200 && status < 300
      ? 'The receiver acknowledged a delivery with a wrong token. It must compare X-Hook-Token with its secret.'
      : undefined
  if ((status === 404 || status === 405) && method === 'POST') return wrongPathHint
  return undefined
}

/** The pace of several deliveries: between n of them there are n - 1 intervals. */
function rateOf({ deliveries, durationMs }: EmitTotals): string {
  if (deliveries < 2) return ''
  const rate = ((deliveries - 1) * 1000) / durationMs
  return `, ${rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate)} per second`
}

function labelOf({ event, name, file }: Step): string {
  if (file !== undefined || event === undefined) return showHidden(file ?? 'unknown')
  return name === undefined ? event : `${event} ${name}`
}
