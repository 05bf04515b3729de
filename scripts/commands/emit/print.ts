import { Screen, type Out } from '../../../conformance/report/screen.ts'
import { plain } from '../../../conformance/report/story.ts'
import type { DeliveryResult } from '../../../mocks/deliveries/send.ts'
import { deliveries } from '../deliveries/tell.ts'
import type { Plan, Step } from './plan.ts'
import { answerOf, isAcknowledged, type EmitTotals, type Tally } from './tally.ts'

/** So many failures of a long row are told one by one. */
const told = 5
/** How often the progress line moves, in milliseconds. */
const beat = 200

/** Tells people what becomes of deliveries: of each, or of a long row only what fails. */
export class EmitPrinter {
  private readonly screen: Screen
  private readonly each: boolean
  private readonly width: number
  private failures = 0
  private timer: NodeJS.Timeout | undefined

  constructor(plan: Plan, out: Out = process.stdout) {
    this.screen = new Screen(out)
    this.each = plan.times === 1
    this.width = Math.max(...plan.steps.map((step) => labelOf(step).length))
  }

  start(url: string, total: number, tally: Tally): void {
    this.screen.line(this.screen.color.dim(`${deliveries(total)} to ${plain(url)}`))
    if (!this.each && this.screen.live)
      this.timer = setInterval(
        () =>
          this.screen.progress(
            `${tally.deliveries} of ${total}, ${tally.deliveries - tally.acknowledged} not acknowledged`,
          ),
        beat,
      )
  }

  answer(step: Step, sent: DeliveryResult): void {
    const good = isAcknowledged(sent)
    if (!good) this.failures += 1
    if (!this.each && (good || this.failures > told)) return
    const { says } = step
    if (says !== undefined && this.each)
      this.screen.line(
        `${this.screen.color.dim(says.at.slice(11, 16))}  ${this.screen.wrap(says.sentence, 7)}`,
      )
    this.screen.line(this.line(step, sent, says !== undefined && this.each ? 7 : 0))
  }

  end(figures: EmitTotals, hint: string | undefined): void {
    clearInterval(this.timer)
    const { color } = this.screen
    // Away with the ^C that a terminal shows.
    this.screen.progress('')
    const { deliveries: count, acknowledged, durationMs, times, answers } = figures
    const missing = count - acknowledged
    const parts = [
      color.green(`${acknowledged} acknowledged`),
      ...(missing === 0 ? [] : [color.red(`${missing} not`)]),
    ]
    const pace =
      this.each || durationMs === 0
        ? ''
        : ` in ${(durationMs / 1000).toFixed(1)} s, ${Math.round((count * 1000) / durationMs)} per second`
    if (count !== 1) this.screen.line(`${deliveries(count)}${pace}: ${parts.join(', ')}`)
    if (!this.each && times !== null) {
      this.screen.line(
        color.dim(
          `answers  ${Object.entries(answers)
            .map(([answer, often]) => `${answer} × ${often}`)
            .join(', ')}`,
        ),
      )
      this.screen.line(
        color.dim(
          `times    median ${times.median} ms, 95th of 100 ${times.p95} ms, longest ${times.longest} ms`,
        ),
      )
    }
    if (hint !== undefined) this.screen.line(color.dim(this.screen.wrap(hint, 0)))
  }

  private line(step: Step, sent: DeliveryResult, indent: number): string {
    const { color } = this.screen
    const good = isAcknowledged(sent)
    const mark = good
      ? color.green(`✓ ${answerOf(sent)}`)
      : color.red(`✗ ${sent.status ?? answerOf(sent)}`)
    const [label, time] = [labelOf(step), `${sent.durationMs.toFixed(1)} ms`]
    const head =
      indent > 0 ? `${label}  ${time}` : `${label.padEnd(this.width)}  ${time.padStart(8)}`
    const text = plain(sent.failure?.message ?? sent.body)
      .replace(/\s+/g, ' ')
      .trim()
    const room = this.screen.width - indent - 7 - head.length - 2
    const shown = text.length > room ? `${text.slice(0, Math.max(10, room - 1))}…` : text
    return `${' '.repeat(indent)}${mark}  ${head}${shown === '' ? '' : `  ${color.dim(shown)}`}`
  }
}

/** What to try where deliveries were not acknowledged. */
export function hintFor(
  { status, failure }: DeliveryResult,
  { token, insecure }: { token: 'none' | 'given' | 'wrong'; insecure: boolean },
): string | undefined {
  if (failure?.reason === 'unreachable')
    return 'Nobody answers there. touchstone listen starts a receiver to try with.'
  if (failure?.reason === 'tls')
    return insecure
      ? undefined
      : 'Its certificate cannot be verified. --insecure sends all the same.'
  if (failure?.reason === 'timeout') return 'It answers too late. --timeout 30s waits longer.'
  if ((status === 401 || status === 403) && token === 'none')
    return 'It may want a token: export RECEIVER_SECRET=…, or --token.'
  if ((status === 401 || status === 403) && token === 'given')
    return 'It refuses the token: is its secret the one of --token, or of RECEIVER_SECRET?'
  if (status === 404 || status === 405)
    return 'It takes no deliveries at that path: is the URL of --to right?'
  return undefined
}

function labelOf({ event, name }: Step): string {
  return name === undefined ? event : `${event} ${name}`
}
