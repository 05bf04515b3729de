import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { processClock, type Clock, type Gate } from '../engine/index.ts'
import { encodeBody } from './body.ts'
import { ByteBudget } from './byte-budget.ts'
import { describeConnectionError } from './connect.ts'
import { HttpExchange, type ExchangeOutcome } from './exchange.ts'
import type { HttpRequest } from './http-request.ts'
import { limitInterim } from './interim.ts'
import { Reachability } from './reachability.ts'
import { RateLimit, readRetryAfter } from './rate-limit.ts'
import { newRedactor, type Redactor, type Secrets } from './secrets.ts'
import { afterCancel } from './wait.ts'
import { closeIfBodyMayBeUnread } from './unread-body.ts'

export interface HttpClientOptions {
  gate: Gate
  clock?: Clock
  /** Milliseconds for one exchange, from its start to the last byte received. */
  timeout?: number
  /** The timeout that the user sets for every exchange, in milliseconds; `timeout` by default. */
  userTimeout?: number
  /** Largest response body that is read, in bytes. */
  maxBytes?: number
  secrets?: Secrets
  /** Returns the number of the next exchange; the client counts by default. */
  nextNumber?: () => number
  /** Maximum total duration of the pauses after responses with status 429, in milliseconds. */
  rateLimitWait?: number
  /** Called with each request before it is sent, but not again if it is repeated after a 429. */
  onRequest?: (request: HttpRequest) => void
  /** URLs of the target. Only their origins can be reported as unreachable. */
  targetUrls?: readonly string[]
  /**
   * Whether the requests create nothing that the suite must delete. A cancelled run then gives up
   * all of them; otherwise, only reads.
   */
  createsNothing?: boolean
}

/** How many bytes are kept of a body that is too long or incomplete. */
const keptBytes = 64 * 1024

/** The longest JSON that is read, in bytes. A page of 100 images in 100 variants has 1.3 MB. */
const maxJsonBytes = 8 * 1024 * 1024

/** Longer URLs are not sent. Many servers allow only 8,000 characters. */
const maxUrlLength = 64 * 1024

/**
 * The memory of one client for bodies that are longer than `keptBytes`, in bytes: about 300 pages
 * of 100 images in 100 variants.
 */
const maxTotalBytes = 384 * 1024 * 1024

/** The memory for the parsed values of these bodies, in bytes. */
const maxValueBytes = 128 * 1024 * 1024

/**
 * Sends requests, and records the responses. Never follows a redirect, requests a content coding or
 * judges a response. Never throws because of what a target does.
 */
export class HttpClient {
  private readonly options: Required<Omit<HttpClientOptions, 'nextNumber' | 'userTimeout'>>
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 256 }),
    'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 256 }),
  }
  private readonly rateLimit: RateLimit
  private readonly reachability: Reachability<HttpRequest>
  private readonly redact: Redactor
  private readonly nextNumber: () => number
  private readonly budget = new ByteBudget(maxTotalBytes)
  private readonly values = new ByteBudget(maxValueBytes)

  constructor(options: HttpClientOptions) {
    this.options = {
      clock: processClock,
      timeout: 10_000,
      maxBytes: 16 * 1024 * 1024,
      secrets: {},
      rateLimitWait: 120_000,
      targetUrls: [],
      createsNothing: false,
      onRequest: () => {},
      ...options,
    }
    this.rateLimit = new RateLimit(this.options.clock, this.options.rateLimitWait)
    this.redact = newRedactor(this.options.secrets)
    this.reachability = new Reachability(
      this.options.clock,
      this.options.targetUrls,
      options.userTimeout ?? this.options.timeout,
      ({ method, url }) => this.redact(`${method} ${pathOf(url)}`),
    )
    let count = 0
    this.nextNumber = options.nextNumber ?? (() => (count += 1))
  }

  /**
   * Sends one request. The signal prevents that, and soon ends a read. Other exchanges, unless they
   * create nothing, are completed, so that the suite knows what it created at the target. A single
   * 429 proves nothing, so the request is then repeated after the pause that the target asks for.
   */
  async send(request: HttpRequest, priority = 0, signal?: AbortSignal): Promise<HttpExchange> {
    const { clock } = this.options
    const encoded = encodeBody(request.body)
    let isAnnounced = false
    for (;;) {
      const leave = await this.enter(request.operation, priority, signal)
      const isCancelled = signal?.aborted === true
      // A request that is not sent creates nothing.
      if (!isAnnounced && !isCancelled) this.options.onRequest(request)
      isAnnounced = true
      if (request.betweenHalves !== undefined) leave()
      const started = clock.now()
      let outcome: ExchangeOutcome
      try {
        outcome = isCancelled
          ? { failure: 'not sent: the run was cancelled' }
          : await this.sendIfReachable(request, encoded, signal)
      } finally {
        leave()
      }
      if (this.mustRepeat(request.operation, outcome, started) && signal?.aborted !== true) continue
      return new HttpExchange(
        this.nextNumber(),
        request,
        encoded,
        outcome,
        Math.round(clock.now() - started),
        this.redact,
        this.values,
      )
    }
  }

  private async sendIfReachable(
    request: HttpRequest,
    encoded: ReturnType<typeof encodeBody>,
    signal: AbortSignal | undefined,
  ): Promise<ExchangeOutcome> {
    const started = this.options.clock.now()
    const unreachable = this.reachability.reasonNotToSend(request.url)
    if (unreachable !== undefined) return { failure: 'not sent', unreachable }
    const outcome = await this.sendOnce(request, encoded, signal)
    // What was given up because of the cancellation says nothing about the target.
    return signal?.aborted === true ? outcome : this.explainFailure(request, outcome, started)
  }

  /** Waits until a request of the operation may be sent. */
  private async enter(
    operation: string,
    priority: number,
    signal: AbortSignal | undefined,
  ): Promise<() => void> {
    for (;;) {
      await this.rateLimit.waitForPause(operation, signal)
      const leave = await this.options.gate.enter(priority)
      // A pause may have begun while this request waited for other requests.
      if (!this.rateLimit.isPaused(operation) || signal?.aborted === true) return leave
      leave()
    }
  }

  /** If the target is unreachable, adds the reason to the failure. */
  private async explainFailure(
    request: HttpRequest,
    outcome: ExchangeOutcome,
    sentAt: number,
  ): Promise<ExchangeOutcome> {
    const endedAt = this.options.clock.now()
    if (outcome.isTimedOut === true) this.reachability.timedOut(request, { sentAt, endedAt })
    else if ('status' in outcome) this.reachability.answered(request, endedAt - sentAt)
    if ('status' in outcome) return outcome
    if (outcome.isInterrupted !== true && outcome.isRefused !== true) return outcome
    const unreachable = await this.reachability.explain(request, outcome)
    return unreachable === undefined ? outcome : { ...outcome, unreachable }
  }

  /** Whether a request must be repeated because its response was a 429. If so, starts a pause. */
  private mustRepeat(operation: string, outcome: ExchangeOutcome, sentAt: number): boolean {
    if (!('status' in outcome) || outcome.status !== 429) {
      this.rateLimit.accepted(operation)
      return false
    }
    const retryAfter = readRetryAfter(outcome.headers, this.options.clock.realTime())
    return this.rateLimit.refused(operation, sentAt, retryAfter)
  }

  /** Closes idle connections. Active connections end by themselves. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy()
  }

  private async sendOnce(
    request: HttpRequest,
    encoded: ReturnType<typeof encodeBody>,
    signal: AbortSignal | undefined,
  ): Promise<ExchangeOutcome> {
    const timeout = this.reachability.timeoutFor(
      request.url,
      request.timeout ?? this.options.timeout,
    )
    const cancellation = this.options.createsNothing || isRead(request) ? signal : undefined
    const first = await this.attempt({ ...request, timeout }, encoded, {
      // On a new connection, the request is sent only once.
      isNewConnection: request.betweenHalves !== undefined,
      cancellation,
    })
    // If a server closes an idle connection just when the client uses it again, the server has not
    // processed the request. The request is then sent again on a new connection.
    if (!('stale' in first)) return first
    const second = await this.attempt({ ...request, timeout }, encoded, {
      isNewConnection: true,
      cancellation,
    })
    // If there is no server any more, it ended with the first attempt: it received the request.
    return 'isRefused' in second && second.isRefused === true ? first : second
  }

  private attempt(
    request: HttpRequest,
    { bytes, headers: bodyHeaders }: ReturnType<typeof encodeBody>,
    {
      isNewConnection = false,
      cancellation,
    }: { isNewConnection?: boolean; cancellation: AbortSignal | undefined },
  ): Promise<ExchangeOutcome & { stale?: true }> {
    const { clock, maxBytes } = this.options
    const { operation, method, url, headers = {}, readBody = 'all', betweenHalves } = request
    const { timeout = this.options.timeout } = request
    return new Promise((resolve) => {
      if (!URL.canParse(url) || !/^https?:/i.test(url))
        return resolve({ failure: `"${url.slice(0, 500)}" is not an absolute URL` })
      if (url.length > maxUrlLength)
        return resolve({ failure: `not sent: the URL is longer than ${maxUrlLength} characters` })
      const destination = new URL(url)
      const secure = destination.protocol === 'https:'
      let outgoing: ClientRequest
      try {
        outgoing = (secure ? httpsRequest : httpRequest)(destination, {
          // Sends the path as it was written: the URL class would resolve dots in it.
          path: pathOf(url),
          method,
          headers: { 'Accept-Encoding': 'identity', ...bodyHeaders, ...headers },
          agent: isNewConnection ? false : secure ? this.agents['https:'] : this.agents['http:'],
        })
      } catch (error) {
        // A URL or value from the target contains characters that cannot be sent.
        return resolve({ failure: `the request cannot be sent: ${(error as Error).message}` })
      }
      let incoming: IncomingMessage | undefined
      let chunks: Buffer[] = []
      let size = 0

      let isFinished = false

      // Several events can end an exchange. Only the first one counts.
      const finish = (outcome: () => ExchangeOutcome & { stale?: true }) => {
        if (isFinished) return
        isFinished = true
        stopTimer()
        stopCancelTimer()
        resolve(outcome())
      }
      const received = (failure?: string): ExchangeOutcome =>
        incoming === undefined
          ? { failure: failure ?? 'no response' }
          : {
              status: incoming.statusCode ?? 0,
              headers: pairHeaders(incoming.rawHeaders),
              body: Buffer.concat(chunks),
              ...(failure === undefined ? {} : { failure }),
            }
      const giveUp = (failure: string, isTimedOut = false, isInterrupted = isTimedOut) => {
        // Keeps only the beginning of an incomplete body, which is all that reports show.
        chunks = [Buffer.concat(chunks, Math.min(size, keptBytes))]
        finish(() => ({ ...received(failure), isInterrupted, isTimedOut }))
        outgoing.destroy()
      }
      const stopTimer = clock.after(
        timeout,
        () => giveUp(`timeout after ${timeout / 1000} s`, true),
        operation,
      )
      const stopCancelTimer = afterCancel(clock, cancellation, () =>
        giveUp('the run was cancelled', false, true),
      )

      limitInterim(outgoing, giveUp)
      outgoing.on('response', (response) => {
        incoming = response
        closeIfBodyMayBeUnread(outgoing, response, bytes)
        const { statusCode = 0 } = response
        const isSuccess = statusCode >= 200 && statusCode < 300
        const isJson = /^application\/json\b/i.test(response.headers['content-type'] ?? '')
        // A JSON body is always read, because it ends. The connection can then be used again.
        if (readBody === 'of refusals' && isSuccess && !isJson) {
          response.on('error', () => {})
          finish(received)
          outgoing.destroy()
          return
        }
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          const most = isJson ? Math.min(maxBytes, maxJsonBytes) : maxBytes
          if (size > most) giveUp(`the body is longer than ${most} bytes`)
          else if (size > keptBytes && !this.budget.take(chunk.length))
            giveUp(`the responses of this run are longer than ${maxTotalBytes} bytes in all`)
        })
        response.on('end', () => {
          finish(received)
          // If the response arrived before the whole request was sent, the connection cannot be
          // used again.
          if (!outgoing.writableFinished) outgoing.destroy()
        })
        const interrupted = (failure: string) =>
          finish(() => ({ ...received(failure), isInterrupted: true }))
        response.on('error', (error) => interrupted(describeConnectionError(error)))
        response.on('close', () =>
          interrupted('the connection closed in the middle of the response'),
        )
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // An error in sending is irrelevant once a response arrives.
        if (incoming !== undefined) return
        const isInterrupted = error.code === 'ECONNRESET' || error.code === 'EPIPE'
        const stale = outgoing.reusedSocket && isInterrupted
        const isRefused = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'].includes(error.code ?? '')
        finish(() => ({
          failure: describeConnectionError(error),
          isInterrupted,
          isRefused,
          ...(stale ? { stale: true as const } : {}),
        }))
      })
      const isAnswered = () => incoming !== undefined
      if (betweenHalves === undefined || bytes === undefined)
        writeInPieces(outgoing, bytes, isAnswered)
      else {
        const half = Math.ceil(bytes.length / 2)
        const writeRest = () => writeInPieces(outgoing, bytes.subarray(half), isAnswered)
        outgoing.write(bytes.subarray(0, half), (error) => {
          if (error == null) void betweenHalves().then(writeRest, writeRest)
        })
      }
    })
  }
}

const isRead = ({ method }: HttpRequest): boolean => method === 'GET' || method === 'HEAD'

/**
 * Sends a body in pieces, and stops when a response arrives: a server may refuse a large body
 * early.
 */
function writeInPieces(
  outgoing: ClientRequest,
  bytes: Uint8Array | undefined,
  isAnswered: () => boolean,
): void {
  const piece = 256 * 1024
  if (bytes === undefined || bytes.length <= piece) {
    outgoing.end(bytes)
    return
  }
  let from = 0
  const more = () => {
    while (from < bytes.length && !isAnswered() && !outgoing.destroyed) {
      const to = from + piece
      const room = outgoing.write(bytes.subarray(from, to))
      from = to
      if (!room) {
        outgoing.once('drain', more)
        return
      }
    }
    if (!isAnswered()) outgoing.end()
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
