import type { McpExchangeOptions, McpHeaders } from './api.ts'
import type { Dialogue, PendingRequest } from './dialogue.ts'
import type { McpExchange, McpSent } from './exchange.ts'
import { McpHttpClient, mergeHeaders } from './http-client.ts'

/**
 * Streamable HTTP: each message is a POST, whose response is JSON or an event stream. The server's
 * own messages are received on a GET stream.
 */
export class HttpTransport {
  /** The latest GET stream. */
  stream: McpExchange | undefined
  private readonly dialogue: Dialogue
  private readonly url: string
  private readonly headers: () => McpHeaders
  private readonly client: McpHttpClient

  /** `headers` returns the headers of the client, the session and the connection. */
  constructor(dialogue: Dialogue, url: string, headers: () => McpHeaders) {
    this.dialogue = dialogue
    this.url = url
    this.headers = headers
    this.client = new McpHttpClient(dialogue)
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  describe(text: string, headers: McpHeaders | undefined): McpSent {
    const usual = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    return this.request('POST', usual, headers, text)
  }

  send(pending: PendingRequest, bytes: Buffer): void {
    this.client.post(pending, { bytes })
  }

  /** Opens a GET stream. Resolves when its status is known. */
  listen({ operation = 'GET', headers, ...options }: McpExchangeOptions): Promise<McpExchange> {
    const sent = this.request('GET', { Accept: 'text/event-stream' }, headers)
    const pending = this.dialogue.startStream({ operation, sent, id: undefined }, options)
    this.stream = pending.exchange
    this.client.openStream(pending)
    return pending.over
  }

  /** Ends the session with DELETE. */
  terminate({
    operation = 'DELETE',
    headers,
    ...options
  }: McpExchangeOptions): Promise<McpExchange> {
    const sent = this.request('DELETE', {}, headers)
    const pending = this.dialogue.startRequest({ operation, sent, id: undefined }, options)
    this.client.post(pending, { bytes: undefined })
    return pending.over
  }

  close(): Promise<void> {
    this.client.close()
    return Promise.resolve()
  }

  private request(
    method: string,
    usual: McpHeaders,
    headers: McpHeaders | undefined,
    text?: string,
  ): McpSent {
    return { method, url: this.url, headers: mergeHeaders(usual, this.headers(), headers), text }
  }
}
