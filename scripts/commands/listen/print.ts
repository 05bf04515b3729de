import { newRedactor, type Delivery } from '../../../conformance/wire/index.ts'
import type { TokenState } from '../deliveries/headers.ts'
import type { JudgedDelivery } from '../deliveries/judge.ts'
import { secretVariable } from '../deliveries/options.ts'
import { countAll, DeliveryFormatter } from '../deliveries/format.ts'

interface Started {
  url: string
  tls: boolean
  save?: string
}

const words: Record<TokenState, string> = {
  right: 'token right',
  wrong: 'token wrong',
  missing: 'token missing',
  unexpected: 'token unexpected',
  'none expected': 'no token',
  'not checked': 'token not checked',
}

/** Prints deliveries as they arrive, as text or as JSON. */
export class ListenPrinter {
  private readonly json: boolean
  private readonly token: string | undefined
  private readonly formatter = new DeliveryFormatter()
  private readonly redact: (text: string) => string

  constructor({ json, token }: { json: boolean; token: string | undefined }) {
    this.json = json
    this.token = token
    this.redact = newRedactor({ [secretVariable]: token })
  }

  start({ url, tls, save }: Started): void {
    if (this.json) return this.line(JSON.stringify({ url }))
    const {
      screen,
      screen: { color },
    } = this.formatter
    this.line(`Listening at ${color.bold(url)} and any path below it.`)
    this.line(
      color.dim(
        `try it   ${this.token === undefined ? '' : `${secretVariable}=… `}touchstone emit push --to ${url}hook${tls ? ' --insecure' : ''}`,
      ),
    )
    if (tls)
      this.line(
        color.dim(
          screen.wrap(
            'The certificate is self-signed: a hook needs enable_ssl_verification false.',
            0,
          ),
        ),
      )
    if (save !== undefined) this.line(color.dim(`saving   ${save}`))
    this.line(color.dim('Ctrl-C stops it.\n'))
  }

  delivery(
    delivery: Delivery,
    { findings, token = 'not checked', ...judged }: JudgedDelivery,
    file: string | undefined,
  ): void {
    const redacted = {
      ...judged,
      findings: findings.map((found) => ({ ...found, received: this.redact(found.received) })),
    }
    this.formatter.count(redacted)
    const { method, responseOutcome = null, arrivedAt, body } = delivery
    const path = this.redact(delivery.url)
    if (this.json) {
      const { event = null, verdict } = redacted
      return this.line(
        JSON.stringify({
          at: new Date(arrivedAt).toISOString(),
          event,
          verdict,
          token,
          method,
          path,
          bytes: body.length,
          responseOutcome,
          ...(file === undefined ? {} : { file }),
          findings: redacted.findings,
        }),
      )
    }
    const where = method === 'POST' ? path : `${method} ${path}`
    this.line(
      this.formatter.lines(
        redacted,
        [words[token].padEnd(words.missing.length), this.cut(where)],
        clockOf(arrivedAt),
      ),
    )
  }

  end({ tls, http, last }: { tls: number; http: number; last: string | undefined }): void {
    const { totals, screen } = this.formatter
    if (this.json)
      return this.line(
        JSON.stringify({
          summary: {
            deliveries: countAll(totals),
            ...totals,
            connectionErrors: tls + http,
          },
        }),
      )
    // Clears the ^C that a terminal shows.
    screen.progress('')
    if (tls > 0)
      this.line(
        screen.color.yellow(
          screen.wrap(
            `${tls} TLS handshakes failed (${last}): the sender may have refused the certificate`,
            0,
          ),
        ),
      )
    if (http > 0)
      this.line(
        screen.color.yellow(screen.wrap(`${http} connections did not send HTTP (${last})`, 0)),
      )
    this.line(this.formatter.summary())
  }

  /** Shortens a path to the width of the terminal. */
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
