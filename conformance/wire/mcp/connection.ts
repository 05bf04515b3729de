import { isObject } from '../../engine/index.ts'
import type {
  McpConnection,
  McpConnectOptions,
  McpExchangeOptions,
  McpExit,
  McpHandler,
  McpHeaders,
  McpInitializeOptions,
  McpReply,
  McpRequestOptions,
  McpSendOptions,
} from './api.ts'
import { Dialogue, type McpSettings, type PendingRequest } from './dialogue.ts'
import type { McpExchange, McpFailure, McpReceived, McpSent, McpTransport } from './exchange.ts'
import { encodeMessage, purposeOf, type McpProblem, type RpcId } from './framing.ts'
import { HttpTransport } from './http.ts'
import { SseTransport } from './sse.ts'
import { StdioTransport } from './stdio.ts'
import { newestVersion } from './version.ts'
import { afterCancel } from '../wait.ts'

/** Milliseconds for ending the session when its connection is closed. */
const terminateTimeout = 2000

/** Sends and receives the messages of a connection. */
interface Transport {
  /** Resolves when messages can be sent, or when the connection is lost. */
  open(): Promise<void>
  /** How a message is sent: method, URL and headers. */
  describe(text: string, headers: McpHeaders | undefined): McpSent
  /** Sends a message. Passes what is received to the pending request and to the dialogue. */
  send(pending: PendingRequest, bytes: Buffer): void
  close(): Promise<void>
  readonly stream?: McpExchange | undefined
  readonly endpoint?: string | undefined
  readonly stderr?: string | undefined
  readonly exit?: McpExit | undefined
}

/** See `McpConnection` for the meaning of each member. */
export class Connection implements McpConnection {
  readonly transport: McpTransport
  sessionId: string | undefined
  protocolVersion: string | undefined
  onRequest: McpHandler | undefined
  mistake: unknown
  private readonly settings: McpSettings
  private readonly options: McpConnectOptions
  private readonly dialogue: Dialogue
  private readonly channel: Transport
  private readonly watchers = new Set<() => void>()
  private lastId = 0
  private isTerminated = false
  private closing: Promise<void> | undefined

  constructor(transport: McpTransport, settings: McpSettings, options: McpConnectOptions) {
    this.transport = transport
    this.settings = { ...settings, timeout: options.timeout ?? settings.timeout }
    this.options = options
    this.onRequest = options.onRequest
    this.dialogue = new Dialogue(transport, this.settings, options.onExchange)
    this.dialogue.onRequest = (request) => void this.reply(request)
    this.dialogue.onChange = () => this.watchers.forEach((look) => look())
    this.channel = this.createTransport()
  }

  /**
   * Opens the connection. Never rejects: if that fails, `failure` says why. Call it once, before
   * other methods.
   */
  open(): Promise<void> {
    return this.channel.open()
  }

  get failure(): McpFailure | undefined {
    return this.dialogue.failure
  }

  get why(): string | undefined {
    return this.dialogue.why
  }

  get received(): readonly McpReceived[] {
    return this.dialogue.received
  }

  get hasEndedInMessage(): boolean {
    return this.dialogue.hasEndedInMessage
  }

  get hangsIn(): McpExchange | undefined {
    return this.dialogue.hangsIn
  }

  get unmatchedResponses(): readonly McpReceived[] {
    return this.dialogue.unmatchedResponses
  }

  get problems(): readonly McpProblem[] {
    return this.dialogue.problems
  }

  get stderr(): string {
    return this.channel.stderr ?? ''
  }

  get stream(): McpExchange | undefined {
    return this.channel.stream
  }

  get endpoint(): string | undefined {
    return this.channel.endpoint
  }

  get exit(): McpExit | undefined {
    return this.channel.exit
  }

  async initialize({
    protocolVersion = newestVersion,
    capabilities = {},
    clientInfo = { name: 'touchstone', version: '1' },
    initialized = true,
    ...options
  }: McpInitializeOptions = {}): Promise<McpExchange> {
    const exchange = await this.request(
      'initialize',
      { protocolVersion, capabilities, clientInfo },
      options,
    )
    const { result } = exchange
    if (result === undefined) return exchange
    this.sessionId = exchange.header('mcp-session-id')
    if (typeof result.protocolVersion === 'string') this.protocolVersion = result.protocolVersion
    const { timeout, idle, headers } = options
    if (initialized)
      await this.notify('notifications/initialized', undefined, { timeout, idle, headers })
    return exchange
  }

  request(
    method: string,
    params?: unknown,
    { id = (this.lastId += 1), ...options }: McpRequestOptions = {},
  ): Promise<McpExchange> {
    const message = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
    return this.send(message, { ...options, awaits: [id] })
  }

  notify(method: string, params?: unknown, options: McpExchangeOptions = {}): Promise<McpExchange> {
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }
    return this.send(message, { ...options, awaits: [] })
  }

  send(message: unknown, options: McpSendOptions = {}): Promise<McpExchange> {
    const { dialogue, channel } = this
    const { bytes, text, operation, awaits } = encodeMessage(message)
    const pending = dialogue.startRequest(
      {
        operation: options.operation ?? operation,
        sent: channel.describe(text, options.headers),
        id: isObject(message) && 'id' in message ? (message.id as RpcId) : undefined,
      },
      {
        awaits: options.awaits ?? awaits,
        timeout: options.timeout,
        idle: options.idle,
        purpose: purposeOf(operation, message),
      },
    )
    if (dialogue.failure === undefined) channel.send(pending, bytes)
    else {
      pending.exchange.markEnded()
      pending.finish(dialogue.failure, dialogue.why)
    }
    return pending.over
  }

  listen({
    lastEventId,
    headers,
    ...options
  }: McpExchangeOptions & { lastEventId?: string | undefined } = {}): Promise<
    McpExchange | undefined
  > {
    const { channel } = this
    if (!(channel instanceof HttpTransport) || this.failure !== undefined)
      return Promise.resolve(channel.stream)
    return channel.listen({ ...options, headers: { 'Last-Event-ID': lastEventId, ...headers } })
  }

  async terminate(options: McpExchangeOptions = {}): Promise<McpExchange | undefined> {
    const { channel } = this
    if (!(channel instanceof HttpTransport) || this.failure !== undefined) return undefined
    const exchange = await channel.terminate(options)
    this.isTerminated = true
    return exchange
  }

  until(condition: () => boolean, within: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (holds: boolean) => {
        stop()
        this.watchers.delete(look)
        resolve(holds)
      }
      const look = () => {
        if (condition()) end(true)
        else if (this.failure !== undefined) end(false)
      }
      const { clock, signal } = this.settings
      const stopTimer = clock.after(
        within,
        () => end(condition()),
        'further messages from the server',
      )
      const stopCancelTimer = afterCancel(clock, signal, () => end(condition()))
      const stop = () => {
        stopTimer()
        stopCancelTimer()
      }
      this.watchers.add(look)
      look()
    })
  }

  close(): Promise<void> {
    return (this.closing ??= this.end())
  }

  private async end(): Promise<void> {
    if (this.sessionId !== undefined && !this.isTerminated)
      await this.terminate({ timeout: Math.min(terminateTimeout, this.settings.timeout) })
    this.dialogue.lose('closed', 'the client closed the connection')
    await this.channel.close()
  }

  /**
   * Replies to a request of the server: with the result of `onRequest`, or with the default reply
   * (see `McpHandler`).
   */
  private async reply({ json: { id, method, params } }: McpReceived): Promise<void> {
    let reply: McpReply | undefined
    try {
      reply = await this.onRequest?.({
        id: id as RpcId,
        method: String(method),
        params: isObject(params) ? params : {},
      })
      reply ??=
        method === 'ping'
          ? { result: {} }
          : { error: { code: -32601, message: 'Method not found' } }
    } catch (error) {
      this.mistake ??= error
      reply = { error: { code: -32603, message: 'the client could not answer' } }
    }
    if (reply === 'silence' || this.failure !== undefined) return
    await this.send(
      { jsonrpc: '2.0', id, ...reply },
      { awaits: [], operation: `answer to ${String(method)}` },
    )
  }

  private createTransport(): Transport {
    const { dialogue, transport } = this
    const { http, sse, stdio } = this.settings.access
    const headers = () => this.headers()
    if (transport === 'http' && http !== undefined)
      return new HttpTransport(dialogue, http, headers)
    if (transport === 'sse' && sse !== undefined) return new SseTransport(dialogue, sse, headers)
    if (transport === 'stdio' && stdio !== undefined) return new StdioTransport(dialogue, stdio)
    throw new Error(`the target has no ${transport}`)
  }

  private headers(): McpHeaders {
    const session =
      this.transport === 'http'
        ? { 'Mcp-Session-Id': this.sessionId, 'MCP-Protocol-Version': this.protocolVersion }
        : {}
    return { ...this.settings.access.headers, ...session, ...this.options.headers }
  }
}
