/*
 * The path of one message, from the check's call to the exchange that it reads. `McpClient.connect`
 * opens the connection; a message then passes through these files of `mcp/`:
 *
 * 1. connection.ts: `request`, `notify` or `send`; session, and replies to the server's requests.
 * 2. framing.ts: encodes the message, parses received ones, and finds violations of the framing.
 * 3. dialogue.ts: the pending request, its time limits, and which request a response belongs to.
 * 4. http.ts, sse.ts or stdio.ts: the transport.
 * 5. http-client.ts, for http and sse: sends the HTTP request, and reads the response.
 * 6. exchange.ts: what was sent and received, which the check reads and the report shows.
 */
import { processClock, type Clock } from '../engine/index.ts'
import type {
  McpAccess,
  McpConnection,
  McpConnectOptions,
  McpEndInRequests,
  McpHttpRequest,
  ShortenTimeout,
} from './mcp/api.ts'
import { Connection } from './mcp/connection.ts'
import { ByteBudget } from './byte-budget.ts'
import { Dialogue, type McpSettings } from './mcp/dialogue.ts'
import { countExchanges, type McpExchange, type McpTransport } from './mcp/exchange.ts'
import { encodeMessage } from './mcp/framing.ts'
import { McpHttpClient, mergeHeaders } from './mcp/http-client.ts'
import { newRedactor, type Secrets } from './secrets.ts'

export interface McpClientOptions {
  access: McpAccess
  clock?: Clock | undefined
  /** Milliseconds for opening a connection, and for an exchange without its own timeout. */
  timeout?: number | undefined
  shortenTimeout?: ShortenTimeout | undefined
  /**
   * Maximum size in bytes of one HTTP body or one line, 4 MiB by default; an event stream may be 8
   * times larger.
   */
  maxBytes?: number | undefined
  secrets?: Secrets | undefined
  /** Returns the number of the next exchange; the client counts by default. */
  nextNumber?: (() => number) | undefined
  /** Aborts when the run is cancelled: exchanges without a response are then soon given up. */
  signal?: AbortSignal | undefined
}

/** The memory of all messages that a client receives, in bytes. */
const maxTotalBytes = 160 * 1024 * 1024

/**
 * A client of a tool server (MCP). It implements JSON-RPC and the three transports, because a
 * client library would hide what a server does wrong. It sends, receives and records; it never
 * judges, and never throws because of what a target does.
 */
export class McpClient {
  private readonly settings: McpSettings
  private readonly connections = new Set<McpConnection>()
  private readonly stops = new Set<() => void>()
  /** The subprocesses that ended by themselves while requests had no response. */
  readonly endsInRequests: McpEndInRequests[] = []
  private isClosed = false

  private constructor(settings: McpSettings) {
    this.settings = { ...settings, onEndInRequests: (end) => this.endsInRequests.push(end) }
  }

  static open(options: McpClientOptions): McpClient {
    const {
      access,
      clock = processClock,
      timeout = 10_000,
      maxBytes = 4 * 1024 * 1024,
      secrets = {},
      nextNumber = countExchanges(),
    } = options
    return new McpClient({
      access,
      clock,
      timeout,
      shortenTimeout: options.shortenTimeout,
      maxBytes,
      budget: new ByteBudget(maxTotalBytes),
      nextNumber,
      redact: newRedactor(secrets),
      signal: options.signal,
    })
  }

  /** The transports of the target, in the order http, sse, stdio. */
  get transports(): readonly McpTransport[] {
    return (['http', 'sse', 'stdio'] as const).filter(
      (transport) => this.settings.access[transport] !== undefined,
    )
  }

  /**
   * Opens a connection; for stdio, starts a subprocess. Rejects only if the target does not have
   * this transport.
   */
  async connect(transport: McpTransport, options: McpConnectOptions = {}): Promise<McpConnection> {
    const connection = new Connection(transport, this.settings, options)
    this.connections.add(connection)
    if (this.isClosed) await connection.close()
    else await connection.open()
    return connection
  }

  /**
   * Sends one HTTP request, without the usual headers of MCP, on its own TCP connection. Resolves
   * when the HTTP response is complete, or with `until: 'head'` after its headers. A JSON-RPC
   * response in it belongs to this exchange. Rejects only if there is no URL.
   */
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
    if (url === undefined) return Promise.reject(new Error(`the target has no ${transport}`))
    const message = body === undefined ? undefined : encodeMessage(body)
    // After a cancellation, only the cleanup sends such requests. They are completed.
    const { signal } = this.settings
    const dialogue = new Dialogue('http', {
      ...this.settings,
      signal: signal?.aborted === true ? undefined : signal,
    })
    const { access } = this.settings
    const pending = dialogue.startRequest(
      {
        operation,
        sent: {
          method,
          url,
          headers: mergeHeaders({ 'Accept-Encoding': 'identity' }, access.headers, headers),
          text: message?.text,
        },
        id: message?.awaits[0],
      },
      { timeout, idle, acceptsAnyResponse: true },
    )
    const client = new McpHttpClient(dialogue, false)
    client.post(pending, { bytes: message?.bytes, headOnly: until === 'head' })
    const stop = () => {
      dialogue.lose('closed', 'the client closed the connection')
      client.close()
    }
    this.stops.add(stop)
    void pending.exchange.ended.then(() => this.stops.delete(stop))
    return pending.over
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const stop of this.stops) stop()
    await Promise.all([...this.connections].map((connection) => connection.close()))
    this.connections.clear()
  }
}

export * from './mcp/api.ts'
export { McpExchange, type McpReceived, type McpTransport } from './mcp/exchange.ts'
export { flawsOf, type McpProblem, type McpProblemCode } from './mcp/framing.ts'
export type { Pipes } from './mcp/process.ts'
