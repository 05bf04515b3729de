import type { McpInitializeOptions, McpPatience, McpRequestOptions, McpSendOptions } from './api.ts'
import type { McpExchange, McpReceived } from './exchange.ts'
import { HttpCarrier } from './http.ts'
import type { Carrier } from './carrier.ts'
import type { McpProblem } from './jsonrpc.ts'
import { Sender } from './sender.ts'
import type { McpConnection } from './talk.ts'

/** The newest revision with a handshake. */
const newest = '2025-11-25'
/** Milliseconds for the end of a session when its connection is closed. */
const parting = 2000

/** See `McpConnection`, which tells what each member means. */
export class Connection extends Sender implements McpConnection {
  private readonly watchers = new Set<() => void>()
  private lastId = 0
  private terminated = false
  private closing: Promise<void> | undefined

  /** Never rejects: a connection that could not be opened says why. To be called once, before anything is sent. */
  open(): Promise<void> {
    return this.carrier.open()
  }

  get received(): readonly McpReceived[] {
    return this.dialogue.received
  }

  get strays(): readonly McpReceived[] {
    return this.dialogue.strays
  }

  get problems(): readonly McpProblem[] {
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

  async initialize({
    protocolVersion = newest,
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
    return this.dispatch(
      { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) },
      options,
      id,
    )
  }

  notify(method: string, params?: unknown, options: McpPatience = {}): Promise<McpExchange> {
    return this.dispatch(
      { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) },
      { ...options, awaits: [] },
    )
  }

  send(message: unknown, options: McpSendOptions = {}): Promise<McpExchange> {
    return this.dispatch(message, options)
  }

  listen({
    lastEventId,
    headers,
    ...options
  }: McpPatience & { lastEventId?: string | undefined } = {}): Promise<McpExchange | undefined> {
    if (!(this.carrier instanceof HttpCarrier) || this.failure !== undefined)
      return Promise.resolve(this.carrier.stream)
    return this.carrier.listen({
      ...options,
      headers: { 'Last-Event-ID': lastEventId, ...headers },
    })
  }

  async terminate({ operation = 'DELETE', headers, ...options }: McpPatience = {}): Promise<
    McpExchange | undefined
  > {
    const { carrier } = this
    if (!(carrier instanceof HttpCarrier) || this.failure !== undefined) return undefined
    const errand = this.errand(
      { operation, sent: carrier.bare('DELETE', headers), id: undefined },
      [],
      options,
    )
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
    if (this.sessionId !== undefined && !this.terminated)
      await this.terminate({ timeout: Math.min(parting, this.settings.timeout) })
    this.lost('closed', 'the client closed the connection')
    await this.carrier.close()
  }

  protected override moved(): void {
    for (const look of [...this.watchers]) look()
  }
}
