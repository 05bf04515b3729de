import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { wallTimers, type Timers } from '../kit/timers.ts'
import { addressOf, type Address } from './address.ts'
import { failureOf, stopped, timeout, type DeliveryFailure } from './failure.ts'
import type { Header } from './headers.ts'

/** One delivery, ready to go. Host and length or chunking are added when it is sent. */
interface Delivery {
  url: string
  headers: readonly Header[]
  body: string | Uint8Array
  /** POST where it is not given. */
  method?: string
  /** Whether the receiver's certificate has to be right. Yes, where it is not given. */
  rejectUnauthorized?: boolean
}

export interface SendOptions {
  /** Keeps connections between deliveries. Without it each delivery has one of its own. */
  agents?: ConnectionAgents
  /** Milliseconds that all of it may take. */
  timeoutMs?: number
  /** What the timeout runs by; the wall's clock if it is not given. */
  timers?: Timers
  /** Sends the body in chunks, without a length. */
  chunked?: boolean
  headerCase?: 'canonical' | 'lower' | 'upper'
  /** Gives it up. */
  signal?: AbortSignal
}

/** What became of a delivery. */
export interface DeliveryResult {
  /** Undefined where the receiver did not answer. */
  status?: number
  headers: Record<string, string>
  /** The beginning of the answer's body. */
  body: string
  durationMs: number
  /** Also beside a status, where the answer broke off or did not end in time. */
  failure?: DeliveryFailure
}

export interface ConnectionAgents {
  http: HttpAgent
  https: HttpsAgent
  destroy(): void
}

/** Connections that are kept for the next delivery. Whoever makes them destroys them. */
export function newAgents(): ConnectionAgents {
  const http = new HttpAgent({ keepAlive: true })
  const https = new HttpsAgent({ keepAlive: true })
  return {
    http,
    https,
    destroy: () => {
      http.destroy()
      https.destroy()
    },
  }
}

/** So much of an answer is kept. */
const keptBytes = 4096
/** After so much an answer is cut off. */
const maxBytes = 256 * 1024

/** Sends one delivery, follows no redirect, tries once, and never rejects: what went wrong is told in `failure`. */
export async function send(delivery: Delivery, options: SendOptions = {}): Promise<DeliveryResult> {
  const began = performance.now()
  const address = addressOf(delivery.url)
  if (address === undefined)
    return {
      headers: {},
      body: '',
      durationMs: 0,
      failure: { reason: 'unreachable', message: 'The URL is no absolute http or https URL' },
    }
  const late = new AbortController()
  const stop = (options.timers ?? wallTimers).after(options.timeoutMs ?? 10_000, () => late.abort())
  let tried = await attempt(delivery, options, address, late.signal)
  // A kept connection that its receiver closes just then is no news of the receiver. Where nothing came back, a new one decides.
  if (tried.stale) tried = await attempt(delivery, options, address, late.signal)
  stop()
  return { ...tried.sent, durationMs: performance.now() - began }
}

interface Tried {
  sent: Omit<DeliveryResult, 'durationMs'>
  stale: boolean
}

function attempt(
  delivery: Delivery,
  options: SendOptions,
  address: Address,
  late: AbortSignal,
): Promise<Tried> {
  return new Promise((resolve) => {
    let request: ClientRequest
    try {
      options.signal?.throwIfAborted()
      request = opened(delivery, options, address)
    } catch (error) {
      resolve({ sent: { headers: {}, body: '', failure: failureOf(error) }, stale: false })
      return
    }
    let answer: IncomingMessage | undefined
    let text = Buffer.alloc(0)
    const finish = (failure?: DeliveryFailure, error?: unknown) => {
      late.removeEventListener('abort', overdue)
      options.signal?.removeEventListener('abort', aborted)
      const stale = answer === undefined && request.reusedSocket && isReset(error)
      resolve({
        sent: {
          ...(answer === undefined ? {} : { status: answer.statusCode ?? 0 }),
          headers: joined(answer),
          body: text.toString(),
          ...(failure === undefined ? {} : { failure }),
        },
        stale,
      })
    }
    const end = (failure?: DeliveryFailure) => {
      finish(failure)
      request.destroy()
    }
    const aborted = () => end(stopped)
    const overdue = () => end(timeout)
    late.addEventListener('abort', overdue)
    options.signal?.addEventListener('abort', aborted)

    // What comes after the end was told is nobody's news; it must only not be uncaught.
    request.on('error', (error) => finish(failureOf(error), error))
    request.on('close', () =>
      finish({ reason: 'broken', message: 'The connection ended without an answer' }),
    )
    // A second attempt may begin when the time is over already.
    if (late.aborted) return end(timeout)
    request.on('response', (response) => {
      answer = response
      let size = 0
      response.on('data', (chunk: Buffer) => {
        if (size < keptBytes) text = Buffer.concat([text, chunk.subarray(0, keptBytes - size)])
        size += chunk.length
        if (size > maxBytes) end()
      })
      response.on('end', () => finish())
      response.on('error', (error) => finish(failureOf(error)))
    })
  })
}

function opened(
  { headers, body, method = 'POST', rejectUnauthorized = true }: Delivery,
  { agents, chunked = false, headerCase = 'canonical' }: SendOptions,
  address: Address,
): ClientRequest {
  const { secure, hostname, port, host, path, auth } = address
  const all: Header[] = [
    ['Host', host],
    ...(auth === undefined
      ? []
      : [['Authorization', `Basic ${Buffer.from(auth).toString('base64')}`] satisfies Header]),
    ...headers,
    chunked
      ? ['Transfer-Encoding', 'chunked']
      : ['Content-Length', String(Buffer.byteLength(body))],
  ]
  const cased =
    headerCase === 'canonical'
      ? all
      : all.map(([name, value]) => [
          headerCase === 'lower' ? name.toLowerCase() : name.toUpperCase(),
          value,
        ])
  // Given as a flat list, headers go out as they are written and in this order.
  const common = { hostname, port, path, method, headers: cased.flat() }
  const request = secure
    ? requestHttps({ ...common, agent: agents?.https ?? false, rejectUnauthorized })
    : requestHttp({ ...common, agent: agents?.http ?? false })
  // Beside a string, headers would be written in the string's own encoding; beside bytes they stay the bytes that they are.
  const bytes = Buffer.from(body)
  if (!chunked) return request.end(bytes)
  request.write(bytes.subarray(0, bytes.length >> 1))
  return request.end(bytes.subarray(bytes.length >> 1))
}

function joined(answer: IncomingMessage | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answer?.headers ?? {}).map(([name, value]) => [
      name,
      [value ?? ''].flat().join(', '),
    ]),
  )
}

function isReset(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(ECONNRESET|EPIPE)$/.test((error as NodeJS.ErrnoException).code ?? '')
  )
}
