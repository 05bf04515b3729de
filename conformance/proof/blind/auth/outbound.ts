import { request } from 'node:http'

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface OutboundReply {
  readonly status: number
  readonly body: string
}

/** Requests to other servers. Each uses its own connection, and close() ends those under way. */
export class Outbound {
  readonly #stop = new AbortController()
  static readonly timeoutMs = 30_000

  close(): void {
    this.#stop.abort()
  }

  send(outgoing: OutboundRequest): Promise<OutboundReply> {
    return new Promise((resolve, reject) => {
      const call = request(outgoing.url, {
        method: outgoing.method,
        headers: {
          ...outgoing.headers,
          ...(outgoing.body === undefined
            ? {}
            : { 'Content-Length': String(Buffer.byteLength(outgoing.body)) }),
          Connection: 'close',
        },
        agent: false,
        signal: this.#stop.signal,
        timeout: Outbound.timeoutMs,
      })
      call.on('timeout', () => call.destroy(new Error('timeout')))
      call.on('error', reject)
      call.on('response', (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      call.end(outgoing.body)
    })
  }
}
