import type { McpHeaders, McpPatience } from './api.ts'
import { Agents } from './call.ts'
import type { Bearing, Carrier } from './carrier.ts'
import type { Errand } from './errand.ts'
import type { McpExchange, McpSent } from './exchange.ts'
import { merged } from './headers.ts'
import { post } from './post.ts'
import { openStream } from './stream.ts'

/** Streamable HTTP: each message is a POST of its own, answered with JSON or with an event stream; the server's own messages come on a GET stream. */
export class HttpCarrier implements Carrier {
  stream: McpExchange | undefined
  private readonly bearing: Bearing
  private readonly url: string
  private readonly agents = new Agents()
  private readonly stops = new Set<() => void>()

  constructor(bearing: Bearing, url: string) {
    this.bearing = bearing
    this.url = url
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  sent(text: string, headers: McpHeaders | undefined): McpSent {
    const usual = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    return {
      method: 'POST',
      url: this.url,
      headers: merged(usual, this.bearing.headers(), headers),
      text,
    }
  }

  /** How a request without a body goes out. */
  bare(method: string, headers: McpHeaders | undefined): McpSent {
    const usual = method === 'GET' ? { Accept: 'text/event-stream' } : {}
    return {
      method,
      url: this.url,
      headers: merged(usual, this.bearing.headers(), headers),
      text: undefined,
    }
  }

  send(errand: Errand, bytes: Buffer | undefined): void {
    const { dialogue, settings } = this.bearing
    const stop = post(errand, { dialogue, bytes, maxBytes: settings.maxBytes, agents: this.agents })
    this.keep(stop, errand.exchange.ended)
  }

  async listen({
    operation = 'GET',
    timeout = this.bearing.timeout,
    idle,
    headers,
  }: McpPatience): Promise<McpExchange> {
    const { errand, stop } = openStream(this.bearing, {
      transport: 'http',
      operation,
      sent: this.bare('GET', headers),
      timeout,
      idle,
    })
    this.stream = errand.exchange
    this.keep(stop, errand.exchange.ended)
    this.bearing.heard(await errand.over)
    return errand.exchange
  }

  close(): Promise<void> {
    for (const stop of this.stops) stop()
    this.agents.destroy()
    return Promise.resolve()
  }

  private keep(stop: () => void, until: Promise<void>): void {
    this.stops.add(stop)
    void until.then(() => this.stops.delete(stop))
  }
}
