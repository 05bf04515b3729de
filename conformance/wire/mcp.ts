import { wallClock, type Clock } from '../engine/index.ts'
import type { McpConnectOptions, McpHttpRequest } from './mcp/api.ts'
import { Connection } from './mcp/connection.ts'
import { Dialogue } from './mcp/dialogue.ts'
import { Errand } from './mcp/errand.ts'
import { McpExchange } from './mcp/exchange.ts'
import { merged } from './mcp/headers.ts'
import { outgoingOf } from './mcp/outgoing.ts'
import type { McpAccess, McpSettings, McpTransport } from './mcp/places.ts'
import { post } from './mcp/post.ts'
import type { McpConnection } from './mcp/talk.ts'
import { redactor, type Secrets } from './secrets.ts'

export interface McpDoorOptions {
  access: McpAccess
  clock?: Clock | undefined
  /** Milliseconds for opening a connection, and for an exchange that says nothing else. */
  timeout?: number | undefined
  /** Bytes that are read at most of one HTTP body, or one line. An event stream that lasts may bring eight times as many. */
  maxBytes?: number | undefined
  secrets?: Secrets | undefined
  /** Gives each exchange its number; its own count where it is not given. */
  number?: (() => number) | undefined
}

/**
 * The door to a tool server (MCP). It speaks JSON-RPC and the three transports by itself: a client library would pass over what a server does wrong. It sends,
 * receives and records; it judges nothing, and never throws for what a target does.
 */
export class McpDoor {
  private readonly settings: McpSettings
  private readonly connections = new Set<McpConnection>()
  private readonly stops = new Set<() => void>()
  private closed = false

  private constructor(settings: McpSettings) {
    this.settings = settings
  }

  static open(options: McpDoorOptions): McpDoor {
    let count = 0
    const {
      access,
      clock = wallClock,
      timeout = 10_000,
      maxBytes = 16 * 1024 * 1024,
      secrets = {},
      number = () => (count += 1),
    } = options
    return new McpDoor({ access, clock, timeout, maxBytes, number, redact: redactor(secrets) })
  }

  /** Those that the target has, in the order http, sse, stdio. */
  get transports(): readonly McpTransport[] {
    return (['http', 'sse', 'stdio'] as const).filter(
      (transport) => this.settings.access[transport] !== undefined,
    )
  }

  /** A connection of its own: a client, a process. Rejects only where the target has no such transport. */
  async connect(transport: McpTransport, options: McpConnectOptions = {}): Promise<McpConnection> {
    const connection = new Connection(transport, this.settings, options)
    this.connections.add(connection)
    if (this.closed) await connection.close()
    else await connection.open()
    return connection
  }

  /** One bare HTTP request, on a TCP connection of its own; resolves with the whole answer. Whatever response is in it is the exchange's. Rejects only where there is no URL. */
  http({
    transport = 'http',
    url = this.settings.access[transport],
    method,
    headers,
    body,
    until = 'end',
    operation = method,
    timeout,
    idle,
  }: McpHttpRequest): Promise<McpExchange> {
    const { access, clock, number, redact, maxBytes } = this.settings
    if (url === undefined) return Promise.reject(new Error(`the target has no ${transport}`))
    const outgoing = body === undefined ? undefined : outgoingOf(body)
    const sent = {
      method,
      url,
      headers: merged({ 'Accept-Encoding': 'identity' }, access.headers, headers),
      text: outgoing?.text,
    }
    const exchange = new McpExchange({
      number: number(),
      operation,
      transport: 'http',
      sent,
      id: outgoing?.awaits[0],
      startedAt: clock.now(),
      redact,
    })
    const errand = new Errand({
      exchange,
      clock,
      awaits: [],
      timeout: timeout ?? this.settings.timeout,
      idle,
      any: true,
    })
    const stop = post(errand, {
      dialogue: new Dialogue(clock),
      bytes: outgoing?.bytes,
      maxBytes,
      headOnly: until === 'head',
    })
    const end = () => {
      errand.finish('closed', 'the client closed the connection')
      stop()
    }
    this.stops.add(end)
    void exchange.ended.then(() => this.stops.delete(end))
    return errand.over
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.closed = true
    for (const stop of this.stops) stop()
    await Promise.all([...this.connections].map((connection) => connection.close()))
    this.connections.clear()
  }
}

export * from './mcp/api.ts'
export { McpExchange, type McpReceived } from './mcp/exchange.ts'
export { flawsOf, type McpProblem, type McpProblemCode } from './mcp/jsonrpc.ts'
export type { McpAccess, McpTransport, Pipes } from './mcp/places.ts'
export type { McpConnection } from './mcp/talk.ts'
