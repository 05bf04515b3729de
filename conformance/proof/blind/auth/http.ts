import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request, read completely. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Identifies the TCP connection. */
  readonly connection: object
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>

export interface Listening {
  readonly origin: string
  close(): Promise<void>
}

const bodyLimit = 1_000_000

export function textAnswer(status: number, body: string): Answer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body }
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  }
}

export function emptyAnswer(status: number): Answer {
  return { status, headers: {}, body: '' }
}

export function withHeaders(
  answer: Answer,
  headers: Readonly<Record<string, string | readonly string[]>>,
): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

export function withoutHeader(answer: Answer, name: string): Answer {
  const kept = Object.entries(answer.headers).filter(
    ([key]) => key.toLowerCase() !== name.toLowerCase(),
  )
  return { ...answer, headers: Object.fromEntries(kept) }
}

export function cookieValue(exchange: Exchange, name: string): string | undefined {
  for (const pair of (exchange.headers.cookie ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=')
    if (key === name) {
      return value.join('=')
    }
  }
  return undefined
}

/** The media type of the request body, without parameters, in lower case. */
export function mediaType(exchange: Exchange): string {
  const header = exchange.headers['content-type'] ?? ''
  return (header.split(';')[0] ?? '').trim().toLowerCase()
}

/** Starts a server on a free port of 127.0.0.1; the handler is made when its origin is known. */
export async function listen(makeHandler: (origin: string) => Handler): Promise<Listening> {
  let handler: Handler = () => emptyAnswer(503)
  const server = createServer((request, response) => {
    serve(handler, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handler = makeHandler(origin)
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  const answer = body === undefined ? textAnswer(413, 'Body too large') : await run()
  response.writeHead(answer.status, outgoing(answer))
  response.end(answer.body)

  async function run(): Promise<Answer> {
    try {
      return await handler(readExchange(request, body ?? ''))
    } catch {
      return textAnswer(500, 'Internal error')
    }
  }
}

function outgoing(answer: Answer): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    headers[name] = typeof value === 'string' ? value : [...value]
  }
  const lengthName = 'content-type' in headers ? 'content-length' : 'Content-Length'
  if (answer.status !== 204) {
    headers[lengthName] = String(Buffer.byteLength(answer.body))
  }
  return headers
}

function readExchange(request: IncomingMessage, body: string): Exchange {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: request.headers,
    body,
    connection: request.socket,
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > bodyLimit) {
      return undefined
    }
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
