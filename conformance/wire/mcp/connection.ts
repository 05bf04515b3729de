import type { McpConnectOptions, McpHandler, McpHeaders, McpInitializeOptions, McpPatience, McpReply, McpRequestOptions, McpSendOptions } from './api.ts'
import type { Bearing, Carrier } from './carrier.ts'
import { Dialogue } from './dialogue.ts'
import { Errand } from './errand.ts'
import { McpExchange, type McpFailure, type McpReceived } from './exchange.ts'
import { HttpCarrier } from './http.ts'
import { isObject, type RpcId } from './jsonrpc.ts'
import { outgoingOf } from './outgoing.ts'
import type { McpSettings, McpTransport } from './places.ts'
import { replyTo } from './reply.ts'
import { SseCarrier } from './sse-carrier.ts'
import { StdioCarrier } from './stdio.ts'
import type { McpConnection } from './talk.ts'

/** The newest revision with a handshake. */
const newest = '2025-11-25'
/** Milliseconds for the end of a session when its connection is closed. */
const parting = 2000

/** See `McpConnection`, which tells what each member means. */
export class Connection implements McpConnection {
  readonly transport: McpTransport
  failure: McpFailure | undefined
  why: string | undefined
  sessionId: string | undefined
  protocolVersion: string | undefined
  onRequest: McpHandler | undefined
  mistake: unknown
  private readonly settings: McpSettings
  private readonly options: McpConnectOptions
  private readonly dialogue: Dialogue
  private readonly carrier: Carrier
  private readonly watchers = new Set<() => void>()
  private lastId = 0
  private terminated = false
  private closing: Promise<void> | undefined

  private constructor(transport: McpTransport, settings: McpSettings, options: McpConnectOptions) {
    this.transport = transport
    this.settings = { ...settings, timeout: options.timeout ?? settings.timeout }
    this.options = options
    this.onRequest = options.onRequest
    this.dialogue = new Dialogue(settings.clock)
    this.dialogue.asked = (request) => void this.reply(request)
    this.dialogue.moved = () => this.moved()
    this.carrier = this.carrierOf(transport)
  }

  /** Never rejects: a connection that could not be opened says why. */
  static async open(transport: McpTransport, settings: McpSettings, options: McpConnectOptions): Promise<Connection> {
    const connection = new Connection(transport, settings, options)
    await connection.carrier.open()
    return connection
  }

  get received(): readonly McpReceived[] {
    return this.dialogue.received
  }

  get strays(): readonly McpReceived[] {
    return this.dialogue.strays
  }

  get problems(): readonly string[] {
    return this.dialogue.problems
  }

  get stderr(): string {
    return this.carrier.stderr ?? ''
  }

  get stream(): McpExchange | undefined {
    return this.carrier.stream
  }

  get endpoint(): string | undefined {
    return this.carrier.endpoint
  }

  get exit(): Carrier['exit'] {
    return this.carrier.exit
  }

  async initialize({ protocolVersion = newest, capabilities = {}, clientInfo = { name: 'touchstone', version: '1' }, initialized = true, ...options }: McpInitializeOptions = {}): Promise<McpExchange> {
    const exchange = await this.request('initialize', { protocolVersion, capabilities, clientInfo }, options)
    const { result } = exchange
    if (result === undefined) return exchange
    this.sessionId = exchange.header('mcp-session-id')
    if (typeof result.protocolVersion === 'string') this.protocolVersion = result.protocolVersion
    const { timeout, idle, headers } = options
    if (initialized) await this.notify('notifications/initialized', undefined, { timeout, idle, headers })
    return exchange
  }

  request(method: string, params?: unknown, { id = (this.lastId += 1), ...options }: McpRequestOptions = {}): Promise<McpExchange> {
    return this.dispatch({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, options, id)
  }

  notify(method: string, params?: unknown, options: McpPatience = {}): Promise<McpExchange> {
    return this.dispatch({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }, { ...options, awaits: [] })
  }

  send(message: unknown, options: McpSendOptions = {}): Promise<McpExchange> {
    return this.dispatch(message, options)
  }

  listen({ lastEventId, headers, ...options }: McpPatience & { lastEventId?: string | undefined } = {}): Promise<McpExchange | undefined> {
    if (!(this.carrier instanceof HttpCarrier) || this.failure !== undefined) return Promise.resolve(this.carrier.stream)
    return this.carrier.listen({ ...options, headers: { 'Last-Event-ID': lastEventId, ...headers } })
  }

  async terminate({ operation = 'DELETE', headers, ...options }: McpPatience = {}): Promise<McpExchange | undefined> {
    const { carrier } = this
    if (!(carrier instanceof HttpCarrier) || this.failure !== undefined) return undefined
    const errand = this.errand({ operation, sent: carrier.bare('DELETE', headers), id: undefined }, [], options)
    carrier.send(errand, undefined)
    const exchange = await errand.over
    this.terminated = true
    return exchange
  }

  until(condition: () => boolean, within: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (held: boolean) => {
        stop()
        this.watchers.delete(look)
        resolve(held)
      }
      const look = () => {
        if (condition()) end(true)
        else if (this.failure !== undefined) end(false)
      }
      const stop = this.settings.clock.after(within, () => end(condition()))
      this.watchers.add(look)
      look()
    })
  }

  close(): Promise<void> {
    return (this.closing ??= this.end())
  }

  private async end(): Promise<void> {
    if (this.sessionId !== undefined && !this.terminated) await this.terminate({ timeout: Math.min(parting, this.settings.timeout) })
    this.lost('closed', 'the client closed the connection')
    await this.carrier.close()
  }

  private async dispatch(message: unknown, options: McpSendOptions, id?: RpcId): Promise<McpExchange> {
    const { bytes, text, operation, awaits } = outgoingOf(message)
    const expected = options.awaits ?? (id === undefined ? awaits : [id])
    const single = isObject(message) && 'id' in message ? (message.id as RpcId) : undefined
    const errand = this.errand({ operation: options.operation ?? operation, sent: this.carrier.sent(text, options.headers), id: id ?? single }, expected, options)
    if (this.failure === undefined) this.carrier.send(errand, bytes)
    else {
      errand.exchange.markEnded()
      errand.finish(this.failure, this.why)
    }
    return errand.over
  }

  private errand(given: Pick<McpExchange, 'operation' | 'sent' | 'id'>, awaits: readonly RpcId[], { timeout = this.settings.timeout, idle }: McpPatience): Errand {
    const { clock, number, redact } = this.settings
    const exchange = new McpExchange({ ...given, number: number(), transport: this.transport, startedAt: clock.now(), redact })
    const errand = new Errand({ exchange, clock, awaits, timeout, idle, both: this.transport === 'sse' })
    this.dialogue.begin(errand, awaits)
    void errand.over.then(this.options.heard)
    return errand
  }

  private async reply(request: McpReceived): Promise<void> {
    let reply: McpReply
    try {
      reply = await replyTo(request, this.onRequest)
    } catch (error) {
      this.mistake ??= error
      reply = { error: { code: -32603, message: 'the client could not answer' } }
    }
    if (reply === 'silence' || this.failure !== undefined) return
    await this.dispatch({ jsonrpc: '2.0', id: request.json.id, ...reply }, { awaits: [], operation: `answer to ${String(request.json.method)}` })
  }

  private carrierOf(transport: McpTransport): Carrier {
    const { settings, dialogue } = this
    const heard = (exchange: McpExchange) => this.options.heard?.(exchange)
    const bearing: Bearing = { settings, dialogue, timeout: settings.timeout, headers: () => this.headers(), lost: (failure, why) => this.lost(failure, why), heard }
    const { http, sse, stdio } = settings.access
    if (transport === 'http' && http !== undefined) return new HttpCarrier(bearing, http)
    if (transport === 'sse' && sse !== undefined) return new SseCarrier(bearing, sse)
    if (transport === 'stdio' && stdio !== undefined) return new StdioCarrier(bearing, stdio)
    throw new Error(`the target has no ${transport}`)
  }

  private headers(): McpHeaders {
    const session = this.transport === 'http' ? { 'Mcp-Session-Id': this.sessionId, 'MCP-Protocol-Version': this.protocolVersion } : {}
    return { ...this.settings.access.headers, ...session, ...this.options.headers }
  }

  private lost(failure: McpFailure, why: string): void {
    if (this.failure !== undefined) return
    this.failure = failure
    this.why = why
    for (const errand of this.dialogue.errands) errand.finish(failure, why)
    this.moved()
  }

  private moved(): void {
    for (const look of [...this.watchers]) look()
  }
}
