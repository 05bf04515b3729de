import type { McpHeaders } from './api.ts'
import { Agents } from './call.ts'
import type { Bearing, Carrier } from './carrier.ts'
import type { Errand } from './errand.ts'
import type { McpExchange, McpSent } from './exchange.ts'
import { merged } from './headers.ts'
import { problemOf, shown } from './jsonrpc.ts'
import { post } from './post.ts'
import type { SseEvent } from './sse.ts'
import { openStream } from './stream.ts'

/** HTTP+SSE (2024-11-05): an event stream says in its first event where to POST, and carries all that the server says. */
export class SseCarrier implements Carrier {
  stream: McpExchange | undefined
  /** What the endpoint event said. */
  endpoint: string | undefined
  private readonly bearing: Bearing
  private readonly url: string
  private readonly agents = new Agents()
  private readonly stops = new Set<() => void>()
  private target: string
  private standing = false

  constructor(bearing: Bearing, url: string) {
    this.bearing = bearing
    this.url = url
    this.target = url
  }

  async open(): Promise<void> {
    const { bearing, url } = this
    const sent: McpSent = {
      method: 'GET',
      url,
      headers: merged({ Accept: 'text/event-stream' }, bearing.headers()),
      text: undefined,
    }
    const { errand, stop } = openStream(bearing, {
      transport: 'sse',
      operation: 'GET',
      sent,
      timeout: bearing.timeout,
      event: (event, opening) => this.told(event, opening),
      stands: () => {},
      ended: (failure, why) => this.standing && bearing.lost(failure, why),
    })
    this.stops.add(stop)
    this.stream = errand.exchange
    const opened = await errand.over
    if (opened.failure !== undefined) bearing.lost(opened.failure, opened.why ?? opened.failure)
    else if (this.endpoint === undefined) bearing.lost(...this.missing(opened))
    bearing.heard(opened)
  }

  sent(text: string, headers: McpHeaders | undefined): McpSent {
    return {
      method: 'POST',
      url: this.target,
      headers: merged({ 'Content-Type': 'application/json' }, this.bearing.headers(), headers),
      text,
    }
  }

  send(errand: Errand, bytes: Buffer): void {
    const { dialogue, settings } = this.bearing
    const stop = post(errand, {
      dialogue,
      bytes,
      maxBytes: settings.maxBytes,
      agents: this.agents,
      plain: true,
    })
    this.stops.add(stop)
    void errand.exchange.ended.then(() => this.stops.delete(stop))
  }

  close(): Promise<void> {
    for (const stop of this.stops) stop()
    this.agents.destroy()
    return Promise.resolve()
  }

  private told({ type, data }: SseEvent, opening: Errand): void {
    if (type !== 'endpoint') return
    const { dialogue } = this.bearing
    if (this.endpoint !== undefined)
      return dialogue.problem(
        problemOf('second-endpoint', `a second endpoint event came: ${shown(data)}`),
      )
    this.endpoint = data
    if (!URL.canParse(data, this.url))
      return opening.finish('unanswered', `the endpoint ${shown(data)} is no URL`)
    const target = new URL(data, this.url)
    // Whoever is sent elsewhere would take the headers of the target there.
    if (target.origin !== new URL(this.url).origin)
      return opening.finish('unanswered', `the endpoint ${shown(data)} is on another origin`)
    this.target = target.href
    this.standing = true
    opening.finish()
  }

  private missing({ httpStatus = 0, contentType }: McpExchange): ['status' | 'unanswered', string] {
    if (httpStatus < 200 || httpStatus >= 300) return ['status', `HTTP ${httpStatus}`]
    return [
      'unanswered',
      contentType === 'text/event-stream'
        ? 'the event stream ended without an endpoint event'
        : `the content type is ${shown(contentType)} and not text/event-stream`,
    ]
  }
}
