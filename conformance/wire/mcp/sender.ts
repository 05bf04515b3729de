import { isObject } from '../../engine/index.ts'
import type {
  McpConnectOptions,
  McpHandler,
  McpHeaders,
  McpPatience,
  McpReply,
  McpSendOptions,
} from './api.ts'
import type { Bearing, Carrier } from './carrier.ts'
import { Dialogue } from './dialogue.ts'
import { Errand } from './errand.ts'
import { McpExchange, type McpFailure, type McpReceived } from './exchange.ts'
import { HttpCarrier } from './http.ts'
import { type RpcId } from './jsonrpc.ts'
import { outgoingOf } from './outgoing.ts'
import type { McpSettings, McpTransport } from './places.ts'
import { replyTo } from './reply.ts'
import { SseCarrier } from './sse-carrier.ts'
import { StdioCarrier } from './stdio.ts'

/** The part of a connection that sends, over whichever transport, and answers what the server asks. */
export abstract class Sender {
  readonly transport: McpTransport
  failure: McpFailure | undefined
  why: string | undefined
  sessionId: string | undefined
  protocolVersion: string | undefined
  onRequest: McpHandler | undefined
  mistake: unknown
  protected readonly settings: McpSettings
  protected readonly dialogue: Dialogue
  protected readonly carrier: Carrier
  private readonly options: McpConnectOptions

  constructor(transport: McpTransport, settings: McpSettings, options: McpConnectOptions) {
    this.transport = transport
    this.settings = { ...settings, timeout: options.timeout ?? settings.timeout }
    this.options = options
    this.onRequest = options.onRequest
    this.dialogue = new Dialogue(settings.clock)
    this.dialogue.asked = (request) => void this.reply(request)
    this.dialogue.moved = () => this.moved()
    this.carrier = this.carrierOf(transport)
  }

  /** Called after each message, and when the connection is lost. */
  protected abstract moved(): void

  protected async dispatch(
    message: unknown,
    options: McpSendOptions,
    id?: RpcId,
  ): Promise<McpExchange> {
    const { bytes, text, operation, awaits } = outgoingOf(message)
    const expected = options.awaits ?? (id === undefined ? awaits : [id])
    const single = isObject(message) && 'id' in message ? (message.id as RpcId) : undefined
    const errand = this.errand(
      {
        operation: options.operation ?? operation,
        sent: this.carrier.sent(text, options.headers),
        id: id ?? single,
      },
      expected,
      options,
    )
    if (this.failure === undefined) this.carrier.send(errand, bytes)
    else {
      errand.exchange.markEnded()
      errand.finish(this.failure, this.why)
    }
    return errand.over
  }

  protected errand(
    given: Pick<McpExchange, 'operation' | 'sent' | 'id'>,
    awaits: readonly RpcId[],
    { timeout = this.settings.timeout, idle }: McpPatience,
  ): Errand {
    const { clock, number, redact } = this.settings
    const exchange = new McpExchange({
      ...given,
      number: number(),
      transport: this.transport,
      startedAt: clock.now(),
      redact,
    })
    const errand = new Errand({
      exchange,
      clock,
      awaits,
      timeout,
      idle,
      both: this.transport === 'sse',
    })
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
    await this.dispatch(
      { jsonrpc: '2.0', id: request.json.id, ...reply },
      { awaits: [], operation: `answer to ${String(request.json.method)}` },
    )
  }

  private carrierOf(transport: McpTransport): Carrier {
    const { settings, dialogue } = this
    const heard = (exchange: McpExchange) => this.options.heard?.(exchange)
    const bearing: Bearing = {
      settings,
      dialogue,
      timeout: settings.timeout,
      headers: () => this.headers(),
      lost: (failure, why) => this.lost(failure, why),
      heard,
    }
    const { http, sse, stdio } = settings.access
    if (transport === 'http' && http !== undefined) return new HttpCarrier(bearing, http)
    if (transport === 'sse' && sse !== undefined) return new SseCarrier(bearing, sse)
    if (transport === 'stdio' && stdio !== undefined) return new StdioCarrier(bearing, stdio)
    throw new Error(`the target has no ${transport}`)
  }

  private headers(): McpHeaders {
    const session =
      this.transport === 'http'
        ? { 'Mcp-Session-Id': this.sessionId, 'MCP-Protocol-Version': this.protocolVersion }
        : {}
    return { ...this.settings.access.headers, ...session, ...this.options.headers }
  }

  protected lost(failure: McpFailure, why: string): void {
    if (this.failure !== undefined) return
    this.failure = failure
    this.why = why
    for (const errand of this.dialogue.errands) errand.finish(failure, why)
    this.moved()
  }
}
