import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { wallClock, type Clock } from '../../engine/index.ts'
import { readRequestBody } from '../receiver/request-body.ts'
import { Listener } from '../receiver/listener.ts'
import { forward } from './upstream/forward.ts'
import type { UpstreamResponse, UpstreamMode, UpstreamRequest } from './upstream/mode.ts'

export interface FakeUpstreamOptions {
  /** host:port to listen on; port 0 takes a free one. 127.0.0.1:0 where it is not given. */
  listen?: string | undefined
  /** Where the target reaches it, when that is not the address it listens on. */
  publicUrl?: string | undefined
  /** URL of the true upstream, to which requests are passed in the mode `forward`. */
  forward?: string | undefined
  clock?: Clock | undefined
}

/** The requests that a mode is for. */
export interface UpstreamFilter {
  readonly method: string
  /** Without its query. */
  readonly path: string
  /** How many of them, the first ones; all where it is not given. */
  readonly times?: number | undefined
}

/** A mode that is played for some requests. */
export interface UpstreamOverride {
  /** How many requests it was played for. */
  readonly count: number
  /** Resolves when it was played as often as it may be. */
  readonly exhausted: Promise<void>
  /** Ends it: for requests that come from now on. */
  stop(): void
}

/** What is kept of requests: of these the latest, of a body the beginning. */
const limits = { requests: 10_000, body: 64 * 1024 }
/** Bytes of a body that are passed on at most. */
const maxBytes = 16 * 1024 * 1024

/**
 * The upstream that the suite plays for a tool server: it answers with a status, hangs, resets the connection, answers garbage (200, application/json and a
 * body that is no JSON), or passes requests to the true one. It has one mode at a time, and beside it others for single requests; it records what came.
 */
export class FakeUpstream {
  /** For the requests that come from now on; those that hang already are not touched. `forward` in the beginning. */
  mode: UpstreamMode = 'forward'
  /** Every request, the latest 10,000. */
  readonly requests: UpstreamRequest[] = []
  private readonly listener: Listener
  private readonly clock: Clock
  private readonly forwardUrl: string | undefined
  private readonly overrides = new Set<{
    take(method: string, path: string): UpstreamMode | undefined
  }>()

  private constructor(listener: Listener, clock: Clock, truth: string | undefined) {
    this.listener = listener
    this.clock = clock
    this.forwardUrl = truth
    listener.onRequest((request, response) =>
      readRequestBody(
        request,
        maxBytes,
        ({ body, isFinished }) => isFinished && this.handleRequest(request, body, response),
      ),
    )
  }

  /** Starts to listen. Throws, in words, for an address or a URL that cannot be read, and for a port that cannot be had. */
  static async start({
    listen = '127.0.0.1:0',
    publicUrl,
    forward: truth,
    clock = wallClock,
  }: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
    if (truth !== undefined && !(URL.canParse(truth) && /^https?:/.test(truth)))
      throw new Error(`«${truth}» is no URL of an upstream: it has to be an http or https URL`)
    return new FakeUpstream(await Listener.start({ listen, publicUrl, tls: false }), clock, truth)
  }

  /** The URL at which the target reaches it, without a slash at its end. */
  get url(): string {
    return this.listener.baseUrl
  }

  /** The URL of the true upstream; undefined where there is none. */
  get forward(): string | undefined {
    return this.forwardUrl
  }

  /** Another mode for the requests of one method and path. Of several, the one that began first is played. */
  override(
    mode: UpstreamMode,
    { method, path, times = Infinity }: UpstreamFilter,
  ): UpstreamOverride {
    let count = 0
    let spend = () => {}
    const spent = new Promise<void>((resolve) => (spend = resolve))
    const own = {
      take(askedMethod: string, askedPath: string) {
        if (askedMethod !== method || askedPath !== path || count >= times) return undefined
        count += 1
        if (count === times) spend()
        return mode
      },
    }
    this.overrides.add(own)
    return {
      get count() {
        return count
      },
      exhausted: spent,
      stop: () => void this.overrides.delete(own),
    }
  }

  /** Ends the listener and every connection, also those that hang. */
  close(): Promise<void> {
    return this.listener.close()
  }

  private handleRequest(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { clock } = this
    const { method = '', url = '/' } = request
    const question = url.indexOf('?')
    const [path, query] =
      question === -1 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)]
    const mode = this.modeOf(method, path)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    )
    const seen: UpstreamRequest = {
      method,
      path,
      query,
      headers,
      body: body.subarray(0, limits.body).toString('utf8'),
      mode,
      at: clock.now(),
      status: undefined,
      abortedAt: undefined,
    }
    this.requests.push(seen)
    if (this.requests.length > limits.requests) this.requests.shift()
    response.on('close', () => {
      if (response.writableFinished) seen.status = response.statusCode
      else seen.abortedAt = clock.now()
    })
    this.respondBy(mode, request, body, response)
  }

  private modeOf(method: string, path: string): UpstreamMode {
    for (const play of this.overrides) {
      const mode = play.take(method, path)
      if (mode !== undefined) return mode
    }
    return this.mode
  }

  private respondBy(
    mode: UpstreamMode,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): void {
    if (mode === 'hang') return
    if (mode === 'reset') return void request.socket.resetAndDestroy()
    if (mode === 'garbage')
      return respond(response, {
        status: 200,
        body: '<<{"garbage":\u0001',
        headers: { 'Content-Type': 'application/json' },
      })
    if (mode !== 'forward') return respond(response, mode)
    if (this.forwardUrl === undefined)
      return respond(response, { status: 502, body: { message: 'there is no true upstream' } })
    forward(request, body, response, this.forwardUrl)
  }
}

function respond(response: ServerResponse, { status, body, headers = {} }: UpstreamResponse): void {
  const text =
    typeof body === 'string'
      ? body
      : JSON.stringify(body ?? { message: STATUS_CODES[status] ?? String(status) })
  response.writeHead(status, {
    ...(typeof body === 'string' ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  })
  response.end(status === 204 || status === 304 ? undefined : text)
}

export type { UpstreamMode, UpstreamRequest } from './upstream/mode.ts'
