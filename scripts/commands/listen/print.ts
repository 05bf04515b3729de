import { showHidden, printableJson } from '../../../conformance/engine/index.ts'
import { count } from '../../../conformance/report/explanation.ts'
import { newRedactor, type Delivery } from '../../../conformance/wire/index.ts'
import type { TokenState } from '../deliveries/headers.ts'
import type { JudgedDelivery } from '../deliveries/judge.ts'
import { secretVariable } from '../deliveries/options.ts'
import { countAll, countDeliveries, DeliveryFormatter } from '../deliveries/format.ts'
import { bodyLines } from '../deliveries/response.ts'
import { isAcknowledged, round } from '../emit/tally.ts'
import { describeEvent } from './describe.ts'
import type { ForwardResult } from './forward.ts'

interface Started {
  url: string
  tls: boolean
  save?: string
  /** The receiver to which deliveries are forwarded. */
  forwardTo?: string
}

/** What the command did with a delivery. */
interface Handled {
  /** The file to which the delivery was saved. */
  file: string | undefined
  forwarded?: ForwardResult
}

const words: Record<TokenState, string> = {
  right: 'token right',
  wrong: 'token wrong',
  missing: 'token missing',
  unexpected: 'token unexpected',
  'none expected': 'no token',
  'not checked': 'token not checked',
}

/** The width of the time of day that is printed before each delivery. */
const indent = '00:00:00.000  '.length

/** Prints deliveries as they arrive, as text or as JSON. */
export class ListenPrinter {
  private readonly json: boolean
  private readonly token: string | undefined
  private readonly formatter = new DeliveryFormatter()
  private readonly redact: (text: string) => string
  private readonly forwarded = { deliveries: 0, acknowledged: 0 }
  private forwards = false

  constructor({ json, token }: { json: boolean; token: string | undefined }) {
    this.json = json
    this.token = token
    this.redact = newRedactor({ [secretVariable]: token })
  }

  start({ url, tls, save, forwardTo }: Started): void {
    this.forwards = forwardTo !== undefined
    const receiver = forwardTo === undefined ? undefined : this.redact(forwardTo)
    if (this.json) return this.line(printableJson({ url, forwardTo: receiver }))
    const {
      screen,
      screen: { color },
    } = this.formatter
    this.line(`Listening at ${color.bold(url)} and any path below it.`)
    this.line(
      color.dim(
        `try it   ${this.token === undefined ? '' : `${secretVariable}=… `}npx touchstone emit push --to ${url}hook${tls ? ' --insecure' : ''}`,
      ),
    )
    if (tls)
      this.line(
        color.dim(
          screen.wrap(
            'The certificate is self-signed: set enable_ssl_verification to false in the hook.',
            0,
          ),
        ),
      )
    if (receiver !== undefined) this.line(color.dim(`forwarding to ${showHidden(receiver)}`))
    if (save !== undefined) this.line(color.dim(`saving to ${save}`))
    this.line(color.dim('Ctrl-C stops it.\n'))
  }

  delivery(
    delivery: Delivery,
    { findings, token = 'not checked', ...judged }: JudgedDelivery,
    { file, forwarded }: Handled,
  ): void {
    const redacted = {
      ...judged,
      findings: findings.map((found) => ({ ...found, received: this.redact(found.received) })),
    }
    this.formatter.count(redacted)
    const answer =
      forwarded === undefined ? undefined : { ...forwarded, body: this.redact(forwarded.body) }
    if (answer !== undefined) {
      this.forwarded.deliveries += 1
      if (isAcknowledged(answer)) this.forwarded.acknowledged += 1
    }
    const { method, responseOutcome = null, arrivedAt, body } = delivery
    const path = this.redact(delivery.url)
    const description = this.redact(describeEvent(judged.event, body.toString('utf8')))
    if (this.json) {
      const { event = null, verdict } = redacted
      return this.line(
        printableJson({
          at: new Date(arrivedAt).toISOString(),
          event,
          description,
          verdict,
          token,
          method,
          path,
          bytes: body.length,
          responseOutcome,
          ...(file === undefined ? {} : { file }),
          ...(answer === undefined
            ? {}
            : { forwarded: { ...answer, durationMs: round(answer.durationMs) } }),
          findings: redacted.findings,
        }),
      )
    }
    const where = method === 'POST' ? path : `${method} ${path}`
    this.line(
      this.formatter.lines(
        redacted,
        [
          words[token].padEnd(words.missing.length),
          this.cut(description === '' ? where : `${description}  ${where}`),
        ],
        clockOf(arrivedAt),
      ),
    )
    if (answer !== undefined) for (const line of this.answerLines(answer)) this.line(line)
    else if (this.forwards && delivery.failure !== undefined)
      this.line(`${' '.repeat(indent)}→ not forwarded: ${showHidden(delivery.failure)}`)
  }

  /** Returns the response of the receiver, and its body if it did not acknowledge the delivery. */
  private answerLines(answer: ForwardResult): string[] {
    const { screen } = this.formatter
    const { color } = screen
    const start = `${' '.repeat(indent)}→ `
    const { status, durationMs, body, failure } = answer
    const time = color.dim(`in ${durationMs.toFixed(1)} ms`)
    if (failure !== undefined) {
      const received =
        failure.reason === 'aborted'
          ? 'received no response'
          : `received ${failure.reason === 'timeout' ? 504 : 502}`
      return [
        `${start}${color.red(failure.reason)} ${time}  ${screen.wrap(`${failure.message}; the sender ${received}`, indent + 2)}`,
      ]
    }
    if (isAcknowledged(answer)) return [`${start}${color.green(String(status))} ${time}`]
    return [
      `${start}${color.red(String(status))} ${time}`,
      ...bodyLines(body, { screen, indent: indent + 2 }),
    ]
  }

  end({ tls, http, last }: { tls: number; http: number; last: string | undefined }): void {
    const { totals, screen } = this.formatter
    if (this.json)
      return this.line(
        printableJson({
          summary: {
            deliveries: countAll(totals),
            ...totals,
            connectionErrors: tls + http,
            ...(this.forwards ? { forwarded: this.forwarded } : {}),
          },
        }),
      )
    // Clears the ^C that a terminal shows.
    screen.progress('')
    if (tls > 0)
      this.line(
        screen.color.yellow(
          screen.wrap(
            `${count(tls, 'TLS handshake')} failed (${last}): the sender may have refused the certificate`,
            0,
          ),
        ),
      )
    if (http > 0)
      this.line(
        screen.color.yellow(
          screen.wrap(`${count(http, 'connection')} did not send HTTP (${last})`, 0),
        ),
      )
    this.line(this.formatter.summary())
    const { deliveries, acknowledged } = this.forwarded
    if (this.forwards)
      this.line(
        `${countDeliveries(deliveries)} forwarded: ${acknowledged} acknowledged${deliveries > acknowledged ? `, ${deliveries - acknowledged} not` : ''}`,
      )
  }

  /** Shortens a description and a path to the width of the terminal. */
  private cut(text: string): string {
    const { live, width } = this.formatter.screen
    const room = Math.max(
      20,
      width - '00:00:00.000  not judged  merge_request  token missing  '.length,
    )
    return live && text.length > room ? `${text.slice(0, room - 1)}…` : text
  }

  private line(text: string): void {
    this.formatter.screen.line(text)
  }
}

/** Returns the local time of day. */
function clockOf(milliseconds: number): string {
  const at = new Date(milliseconds)
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(at.getMilliseconds()).padStart(3, '0')}`
}
