import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { processClock, type Clock } from '../../engine/index.ts'
import { readRequestBody } from '../receiver/request-body.ts'
import { Listener } from '../receiver/listener.ts'
import { forward } from './upstream/forward.ts'
import { readStateAt, repeatAtRealUpstream } from './upstream/repeat.ts'
import type {
  ResourceState,
  UpstreamResponse,
  UpstreamMode,
  UpstreamRequest,
} from './upstream/mode.ts'

export interface FakeUpstreamOptions {
  /** host:port to listen on; port 0 is any free port. 127.0.0.1:0 by default. */
  listen?: string | undefined
  /**
   * The URL at which the target reaches the upstream, if it differs from the address in `listen`.
   */
  publicUrl?: string | undefined
  /** URL of the real upstream, to which the mode `forward` sends requests. */
  forward?: string | undefined
  clock?: Clock | undefined
}

/** Selects the requests to which an override applies. */
export interface UpstreamFilter {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The override applies to this many requests, counted from the first; by default to all. */
  readonly times?: number | undefined
  /** If set, the requests get no response until this resolves. */
  readonly until?: Promise<void> | undefined
}

/** A mode for some requests. */
export interface UpstreamOverride {
  /** The number of requests to which the override was applied. */
  readonly count: number
  /** Resolves when the override has been applied to `times` requests. */
  readonly exhausted: Promise<void>
  /** Ends the override. */
  stop(): void
}

/** How much is recorded: the number of requests, and the bytes of each request body. */
const limits = { requests: 10_000, body: 64 * 1024 }
/** The largest request body that is read and forwarded, in bytes. */
const maxBytes = 16 * 1024 * 1024

/**
 * The upstream of a tool server. It has one mode at a time, and overrides for some requests. It
 * records all requests.
 */
export class FakeUpstream {
  /**
   * The mode for later requests. Requests that already hang keep their mode. Initially `forward`.
   */
  mode: UpstreamMode = 'forward'
  /** The latest 10,000 requests. */
  readonly requests: UpstreamRequest[] = []
  private readonly listener: Listener
  private readonly clock: Clock
  private readonly realUrl: string | undefined
  /** The timeout of the reads of `withStates` in milliseconds; undefined if it does not run. */
  private stateTimeout: number | undefined
  private readonly overrides = new Set<{
    take(method: string, path: string): { mode: UpstreamMode; until?: Promise<void> } | undefined
  }>()

  private constructor(listener: Listener, clock: Clock, realUrl: string | undefined) {
    this.listener = listener
    this.clock = clock
    this.realUrl = realUrl
    listener.onRequest((request, response) =>
      readRequestBody(
        request,
        maxBytes,
        ({ body, isFinished }) => isFinished && this.handleRequest(request, body, response),
      ),
    )
  }

  /**
   * Starts the server. Throws a readable error for an invalid address or URL, and for a port that
   * is not available.
   */
  static async start({
    listen = '127.0.0.1:0',
    publicUrl,
    forward: realUrl,
    clock = processClock,
  }: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
    if (realUrl !== undefined && !(URL.canParse(realUrl) && /^https?:/.test(realUrl)))
      throw new Error(`"${realUrl}" is not a URL of an upstream: it must be an http or https URL`)
    return new FakeUpstream(await Listener.start({ listen, publicUrl, tls: false }), clock, realUrl)
  }

  /** The URL at which the target reaches the upstream, without a trailing slash. */
  get url(): string {
    return this.listener.baseUrl
  }

  /** The URL of the real upstream, if there is one. */
  get forward(): string | undefined {
    return this.realUrl
  }

  /**
   * Overrides the mode for requests of one method and path. If several overrides match, the oldest
   * applies.
   */
  override(
    mode: UpstreamMode,
    { method, path, times = Infinity, until }: UpstreamFilter,
  ): UpstreamOverride {
    let count = 0
    let spend = () => {}
    const spent = new Promise<void>((resolve) => (spend = resolve))
    const own = {
      take(askedMethod: string, askedPath: string) {
        if (askedMethod !== method || askedPath !== path || count >= times) return undefined
        count += 1
        if (count === times) spend()
        return { mode, ...(until === undefined ? {} : { until }) }
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

  /**
   * Repeats a recorded GET request at the real upstream, and returns the JSON of its response.
   * Returns undefined if no JSON is received within `timeout` milliseconds.
   */
  async readReal(request: UpstreamRequest, timeout: number): Promise<unknown> {
    return this.realUrl === undefined
      ? undefined
      : repeatAtRealUpstream(request, this.realUrl, timeout)
  }

  /**
   * Reads a path at the real upstream with a GET request that has the headers of a recorded
   * request. Returns undefined if there is no response within `timeout` milliseconds.
   */
  async readState(
    request: UpstreamRequest,
    path: string,
    timeout: number,
  ): Promise<ResourceState | undefined> {
    return this.realUrl === undefined
      ? undefined
      : readStateAt(request, this.realUrl, path, timeout)
  }

  /**
   * Runs `work`. Meanwhile, reads the path of each PUT, PATCH and DELETE request before it forwards
   * the request, so that the effect of the request can be seen.
   */
  async withStates<T>(timeout: number, work: () => Promise<T>): Promise<T> {
    this.stateTimeout = timeout
    try {
      return await work()
    } finally {
      this.stateTimeout = undefined
    }
  }

  /** Closes the server and all connections, including those that hang. */
  close(): Promise<void> {
    return this.listener.close()
  }

  private handleRequest(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { clock } = this
    const { method = '', url = '/' } = request
    const question = url.indexOf('?')
    const [path, query] =
      question === -1 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)]
    const { mode, until } = this.modeOf(method, path)
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
      location: undefined,
      createdBody: undefined,
      stateBefore: undefined,
      abortedAt: undefined,
    }
    this.requests.push(seen)
    if (this.requests.length > limits.requests) this.requests.shift()
    response.on('close', () => {
      if (response.writableFinished) {
        seen.status = response.statusCode
        seen.location = response.getHeader('location')?.toString()
      } else seen.abortedAt = clock.now()
    })
    const respondNow = () => this.respondBy(mode, request, body, response, seen)
    const { stateTimeout: timeout } = this
    const isStateRead = timeout !== undefined && ['PUT', 'PATCH', 'DELETE'].includes(method)
    const ready = isStateRead
      ? this.readState(seen, path, timeout).then((state) => {
          seen.stateBefore = state
          return until
        })
      : until
    if (ready === undefined) respondNow()
    // The client may have closed the connection while it waited.
    else void ready.then(() => response.destroyed || respondNow())
  }

  private modeOf(method: string, path: string): { mode: UpstreamMode; until?: Promise<void> } {
    for (const override of this.overrides) {
      const taken = override.take(method, path)
      if (taken !== undefined) return taken
    }
    return { mode: this.mode }
  }

  private respondBy(
    mode: UpstreamMode,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    seen: UpstreamRequest,
  ): void {
    if (mode === 'hang') return
    if (mode === 'stall')
      return void response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .write('{"touchstone":')
    if (mode === 'reset') return void request.socket.resetAndDestroy()
    if (mode === 'garbage')
      return respond(response, {
        status: 200,
        body: '<<{"garbage":\u0001',
        headers: { 'Content-Type': 'application/json' },
      })
    if (mode !== 'forward') return respond(response, mode)
    if (this.realUrl === undefined)
      return respond(response, { status: 502, body: { message: 'there is no real upstream' } })
    forward(request, body, response, this.realUrl, (text) => (seen.createdBody = text))
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

export type { ResourceState, UpstreamMode, UpstreamRequest } from './upstream/mode.ts'
