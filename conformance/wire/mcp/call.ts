import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { decoderOf } from './decoder.ts'
import type { McpFailure } from './exchange.ts'

/** A request over HTTP. */
export interface HttpCall {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  bytes: Buffer | undefined
  maxBytes: number
  /** Keeps connections to be used again; each request has its own where it is not given. */
  agents?: Agents | undefined
}

/** Who is told what comes back. `end` is called once, and is the last. */
export interface HttpEar {
  head(status: number, headers: [string, string][]): void
  /** A piece of the body, without its coding. */
  data(chunk: Buffer): void
  end(failure?: McpFailure, why?: string): void
}

/** Connections of one client. */
export class Agents {
  readonly http = new HttpAgent({ keepAlive: true })
  readonly https = new HttpsAgent({ keepAlive: true })

  destroy(): void {
    this.http.destroy()
    this.https.destroy()
  }
}

/** Sends a request and tells what comes, without a bound in time. Follows no redirect. The function that is given back calls it off: nothing is told after that. */
export function call(request: HttpCall, ear: HttpEar): () => void {
  let over = false
  let outgoing: ClientRequest | undefined
  const finish = (failure?: McpFailure, why?: string) => {
    if (over) return
    over = true
    ear.end(failure, why)
  }
  const attempt = (agents: Agents | undefined) => {
    outgoing = begin(request, agents, {
      response: (incoming) =>
        read(
          incoming,
          request.maxBytes,
          { ...ear, end: finish },
          () => over,
          () => outgoing?.destroy(),
        ),
      // A server may close an idle connection in the moment in which it is used again: nothing was answered, so nothing was done.
      stale: () => attempt(undefined),
      failed: (error) => finish(failureOf(error), nameOf(error)),
    })
  }
  try {
    attempt(request.agents)
  } catch (error) {
    // Later, so that whoever called knows what it has called.
    queueMicrotask(() => finish('unreachable', nameOf(error as Error)))
  }
  return () => {
    over = true
    outgoing?.destroy()
  }
}

interface Fates {
  response(incoming: IncomingMessage): void
  stale(): void
  failed(error: NodeJS.ErrnoException): void
}

function begin(
  { method, url, headers, bytes }: HttpCall,
  agents: Agents | undefined,
  fates: Fates,
): ClientRequest {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) }
  const outgoing = (secure ? httpsRequest : httpRequest)(target, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...length, ...headers },
    agent: (secure ? agents?.https : agents?.http) ?? false,
  })
  // In pieces, and no further once an answer comes: a server that refuses a large body early shall be heard.
  const source = bytes === undefined ? undefined : Readable.from(piecesOf(bytes))
  let answered = false
  outgoing.on('response', (incoming) => {
    answered = true
    source?.unpipe(outgoing)
    incoming.once('close', () => outgoing.writableFinished || outgoing.destroy())
    fates.response(incoming)
  })
  // What ends without an answer and without an error: an upgrade that nobody asked for.
  outgoing.on(
    'close',
    () => answered || fates.failed(new Error('the connection closed without an answer')),
  )
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    if (answered) return
    answered = true
    const stale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    if (stale) fates.stale()
    else fates.failed(error)
  })
  if (source === undefined) outgoing.end()
  else source.pipe(outgoing)
  return outgoing
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += 64 * 1024)
    yield bytes.subarray(from, from + 64 * 1024)
}

function read(
  incoming: IncomingMessage,
  maxBytes: number,
  ear: HttpEar,
  over: () => boolean,
  stop: () => void,
): void {
  const headers: [string, string][] = []
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2)
    headers.push([incoming.rawHeaders[index]!, incoming.rawHeaders[index + 1]!])
  if (over()) return
  ear.head(incoming.statusCode ?? 0, headers)
  let size = 0
  const end = (failure?: McpFailure, why?: string) => {
    ear.end(failure, why)
    if (failure !== undefined) stop()
  }
  const data = (chunk: Buffer) => {
    if (over()) return
    size += chunk.length
    if (size > maxBytes) end('flood', `the body is longer than ${maxBytes} bytes`)
    else ear.data(chunk)
  }
  const body = decoderOf(incoming, incoming.headers['content-encoding'])
  body.on('data', data)
  body.on('end', () => end())
  body.on(
    'error',
    (error) => body !== incoming && end('closed', `the body cannot be decoded: ${error.message}`),
  )
  incoming.on('error', () => end('closed', 'the connection closed in the middle of the answer'))
  incoming.on(
    'close',
    () =>
      incoming.readableEnded || end('closed', 'the connection closed in the middle of the answer'),
  )
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EPIPE: 'connection closed while sending',
}

const nameOf = (error: NodeJS.ErrnoException): string => words[error.code ?? ''] ?? error.message

/** What answers and is no HTTP has closed the way to a response as well. */
const failureOf = ({ code = '' }: NodeJS.ErrnoException): McpFailure =>
  code === 'ECONNRESET' || code === 'EPIPE' || code.startsWith('HPE_') ? 'closed' : 'unreachable'
