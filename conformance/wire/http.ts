import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { wallClock, type Clock, type Gate } from '../engine/index.ts'
import { encodeBody } from './body.ts'
import { HttpExchange, type ExchangeOutcome } from './exchange.ts'
import type { HttpRequest } from './http-request.ts'
import { newRedactor, type Secrets } from './secrets.ts'

export interface HttpClientOptions {
  gate: Gate
  clock?: Clock
  /** Milliseconds for one exchange, from the first byte sent to the last one received. */
  timeout?: number
  /** Bytes of a response's body that are read at most. */
  maxBytes?: number
  secrets?: Secrets
  /** Gives each exchange its number; its own count where it is not given. */
  number?: () => number
  /** Times that a 429 is asked again before it counts. */
  patience?: number
}

/** Sends, receives, records. Follows no redirect, asks for no coding of bodies, judges nothing, and never throws for what a target does. */
export class HttpClient {
  private readonly options: Required<Omit<HttpClientOptions, 'number'>>
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 256 }),
    'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 256 }),
  }
  private readonly redact: (text: string) => string
  private readonly number: () => number

  constructor(options: HttpClientOptions) {
    this.options = {
      clock: wallClock,
      timeout: 10_000,
      maxBytes: 16 * 1024 * 1024,
      secrets: {},
      patience: 3,
      ...options,
    }
    this.redact = newRedactor(this.options.secrets)
    let count = 0
    this.number = options.number ?? (() => (count += 1))
  }

  /**
   * One exchange. What is under way ends by itself, so that what it made at the target is known; the signal only ends the waiting.
   * A 429 is asked again after the pause that the target names (5 s at most), since a stray one is no evidence.
   */
  async send(request: HttpRequest, priority = 0, signal?: AbortSignal): Promise<HttpExchange> {
    const { clock, patience, gate } = this.options
    const encoded = encodeBody(request.body)
    for (let attempt = 0; ; attempt += 1) {
      const leave = await gate.enter(priority)
      const started = clock.now()
      let outcome: ExchangeOutcome
      try {
        outcome = await this.sendOnce(request, encoded)
      } finally {
        leave()
      }
      const again =
        'status' in outcome &&
        outcome.status === 429 &&
        attempt < patience &&
        signal?.aborted !== true
      if (!again)
        return new HttpExchange(
          this.number(),
          request,
          encoded,
          outcome,
          Math.round(clock.now() - started),
          this.redact,
        )
      await clock.sleep(pauseBeforeRetry(outcome, attempt), signal)
    }
  }

  /** Closes idle connections; those under way end by themselves. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy()
  }

  private async sendOnce(
    request: HttpRequest,
    encoded: ReturnType<typeof encodeBody>,
  ): Promise<ExchangeOutcome> {
    const first = await this.attempt(request, encoded)
    // A server may close an idle connection in the moment in which it is used again: nothing was answered, so nothing was done.
    // The second time goes over a connection of its own, which cannot be stale.
    return 'stale' in first ? this.attempt(request, encoded, { alone: true }) : first
  }

  private attempt(
    { method, url, headers = {}, timeout = this.options.timeout, readBody = 'all' }: HttpRequest,
    { bytes, headers: bodyHeaders }: ReturnType<typeof encodeBody>,
    { alone = false } = {},
  ): Promise<ExchangeOutcome & { stale?: true }> {
    const { clock, maxBytes } = this.options
    return new Promise((resolve) => {
      if (!URL.canParse(url) || !/^https?:/i.test(url))
        return resolve({ failure: `«${url}» is no absolute URL` })
      const target = new URL(url)
      const secure = target.protocol === 'https:'
      const outgoing: ClientRequest = (secure ? httpsRequest : httpRequest)(target, {
        // The path as it was written: the URL class would resolve dots in it.
        path: pathOf(url),
        method,
        headers: { 'Accept-Encoding': 'identity', ...bodyHeaders, ...headers },
        agent: alone ? false : secure ? this.agents['https:'] : this.agents['http:'],
      })
      let incoming: IncomingMessage | undefined
      const chunks: Buffer[] = []
      let size = 0

      const finish = (outcome: ExchangeOutcome & { stale?: true }) => {
        stopTimer()
        resolve(outcome)
      }
      const received = (failure?: string): ExchangeOutcome =>
        incoming === undefined
          ? { failure: failure ?? 'no answer' }
          : {
              status: incoming.statusCode ?? 0,
              headers: pairHeaders(incoming.rawHeaders),
              body: Buffer.concat(chunks),
              ...(failure === undefined ? {} : { failure }),
            }
      const giveUp = (failure: string, isTimedOut = false) => {
        finish({ ...received(failure), isTimedOut })
        outgoing.destroy()
      }
      const stopTimer = clock.after(timeout, () =>
        giveUp(`no complete answer within ${timeout / 1000} s`, true),
      )

      outgoing.on('response', (response) => {
        incoming = response
        const { statusCode = 0 } = response
        if (readBody === 'of refusals' && statusCode >= 200 && statusCode < 300) {
          response.on('error', () => {})
          finish(received())
          outgoing.destroy()
          return
        }
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) giveUp(`the body is longer than ${maxBytes} bytes`)
          else chunks.push(chunk)
        })
        response.on('end', () => {
          finish(received())
          // An answer before the whole request was read leaves the connection in no state to be used again.
          if (!outgoing.writableFinished) outgoing.destroy()
        })
        response.on('error', (error) => finish(received(nameOf(error))))
        response.on('close', () =>
          finish(received('the connection closed in the middle of the answer')),
        )
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // Where an answer is coming in, what went wrong with sending is not the point.
        if (incoming !== undefined) return
        const stale =
          outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        finish({ failure: nameOf(error), ...(stale ? { stale: true as const } : {}) })
      })
      writeInPieces(outgoing, bytes, () => incoming !== undefined)
    })
  }
}

/** Writes in pieces and stops once an answer comes: a server that refuses a large body early shall be heard. */
function writeInPieces(
  outgoing: ClientRequest,
  bytes: Uint8Array | undefined,
  answered: () => boolean,
): void {
  const piece = 256 * 1024
  if (bytes === undefined || bytes.length <= piece) {
    outgoing.end(bytes)
    return
  }
  let from = 0
  const more = () => {
    while (from < bytes.length && !answered() && !outgoing.destroyed) {
      const to = from + piece
      const room = outgoing.write(bytes.subarray(from, to))
      from = to
      if (!room) {
        outgoing.once('drain', more)
        return
      }
    }
    if (!answered()) outgoing.end()
  }
  more()
}

function pathOf(url: string): string {
  const afterScheme = url.indexOf('//') + 2
  const slash = url.indexOf('/', afterScheme)
  const hash = url.indexOf('#')
  const path = slash === -1 ? '/' : url.slice(slash, hash === -1 ? undefined : hash)
  return path
}

function pairHeaders(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([rawHeaders[index]!, rawHeaders[index + 1]!])
  return headers
}

function nameOf(error: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'connection reset',
    ENOTFOUND: 'host not found',
    EPIPE: 'connection closed while sending',
  }
  return known[error.code ?? ''] ?? error.message
}

function pauseBeforeRetry(outcome: ExchangeOutcome, attempt: number): number {
  const named =
    'headers' in outcome
      ? outcome.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
      : undefined
  const seconds = named === undefined ? Number.NaN : Number(named)
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, 5000) : 250 * 2 ** attempt
}
