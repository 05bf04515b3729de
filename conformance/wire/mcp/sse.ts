import type { McpHeaders } from './api.ts'
import type { Dialogue, PendingRequest } from './dialogue.ts'
import type { McpExchange, McpSent } from './exchange.ts'
import { problemOf, shown, type SseEvent } from './framing.ts'
import { McpHttpClient, mergeHeaders } from './http-client.ts'

/**
 * HTTP+SSE (2024-11-05): the first event of an event stream contains the URL for POST requests. The
 * server sends all its messages on that stream.
 */
export class SseTransport {
  stream: McpExchange | undefined
  /** The data of the endpoint event. */
  endpoint: string | undefined
  private readonly dialogue: Dialogue
  private readonly url: string
  private readonly headers: () => McpHeaders
  private readonly client: McpHttpClient
  /** The URL for POST requests. */
  private messageUrl: string
  private isOpen = false

  /** `headers` returns the headers of the client and the connection. */
  constructor(dialogue: Dialogue, url: string, headers: () => McpHeaders) {
    this.dialogue = dialogue
    this.url = url
    this.messageUrl = url
    this.headers = headers
    this.client = new McpHttpClient(dialogue)
  }

  /** Resolves after the endpoint event, or when the connection is lost. */
  async open(): Promise<void> {
    const { dialogue, url } = this
    const headers = mergeHeaders({ Accept: 'text/event-stream' }, this.headers())
    const pending = dialogue.startStream({
      operation: 'GET',
      sent: { method: 'GET', url, headers, text: undefined },
      id: undefined,
    })
    this.stream = pending.exchange
    this.client.openStream(pending, {
      onEvent: (event) => this.receiveEvent(event, pending),
      onEnd: (failure, why) => this.isOpen && dialogue.lose(failure, why),
    })
    const opened = await pending.over
    if (opened.failure !== undefined) dialogue.lose(opened.failure, opened.why ?? opened.failure)
    else if (this.endpoint === undefined) dialogue.lose(...failureWithoutEndpoint(opened))
  }

  describe(text: string, headers: McpHeaders | undefined): McpSent {
    return {
      method: 'POST',
      url: this.messageUrl,
      headers: mergeHeaders({ 'Content-Type': 'application/json' }, this.headers(), headers),
      text,
    }
  }

  send(pending: PendingRequest, bytes: Buffer): void {
    this.client.post(pending, { bytes, plain: true })
  }

  close(): Promise<void> {
    this.client.close()
    return Promise.resolve()
  }

  private receiveEvent({ type, data }: SseEvent, opening: PendingRequest): void {
    if (type !== 'endpoint') return
    if (this.endpoint !== undefined)
      return this.dialogue.problem(
        problemOf('second-endpoint', `a second endpoint event was received: ${shown(data)}`),
      )
    this.endpoint = data
    if (!URL.canParse(data, this.url))
      return opening.finish('unanswered', `the endpoint ${shown(data)} is not a URL`)
    const endpoint = new URL(data, this.url)
    // Another origin must not receive the headers that are meant for the target.
    if (endpoint.origin !== new URL(this.url).origin)
      return opening.finish('unanswered', `the endpoint ${shown(data)} is on another origin`)
    this.messageUrl = endpoint.href
    this.isOpen = true
    opening.finish()
  }
}

/** Why a stream ended normally, but without an endpoint event. */
function failureWithoutEndpoint({
  httpStatus = 0,
  contentType,
}: McpExchange): ['status' | 'unanswered', string] {
  if (httpStatus < 200 || httpStatus >= 300) return ['status', `HTTP ${httpStatus}`]
  return [
    'unanswered',
    contentType === 'text/event-stream'
      ? 'the event stream ended without an endpoint event'
      : `the content type is ${shown(contentType)} and not text/event-stream`,
  ]
}
