import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { createSecureContext } from 'node:tls'
import { wallTimers, type Timers } from '../kit/timers.ts'
import { addressOf, type Address } from './address.ts'
import { failureOf, stopped, timeout, type DeliveryFailure } from './failure.ts'
import type { Header } from './headers.ts'

/**
 * One delivery. `send` adds headers such as Host and Content-Length, and credentials from the URL.
 */
interface Delivery {
  url: string
  headers: readonly Header[]
  body: string | Uint8Array
  /** By default POST. */
  method?: string
  /** Whether the receiver's certificate is verified; by default true. */
  rejectUnauthorized?: boolean
}

export interface SendOptions {
  /**
   * Agents that keep connections open for later deliveries. Without agents, each delivery opens a
   * new connection.
   */
  agents?: ConnectionAgents
  /** Timeout of the whole delivery in milliseconds. */
  timeoutMs?: number
  /** The timers of the timeout; by default they run in real time. */
  timers?: Timers
  /** Sends the body in chunks, without a length. */
  chunked?: boolean
  headerCase?: 'canonical' | 'lower' | 'upper'
  /** Cancels the delivery. */
  signal?: AbortSignal
  /** Returns the whole response as `raw`, up to this number of bytes of its body. */
  rawBytes?: number
}

/** The result of a delivery. */
export interface DeliveryResult {
  /** Undefined if the receiver did not respond. */
  status?: number
  headers: Record<string, string>
  /** The beginning of the response's body. */
  body: string
  durationMs: number
  /** The response as it was received. Set only if the options contain `rawBytes`. */
  raw?: {
    /** Alternating names and values. */
    headers: readonly string[]
    body: Buffer
    /** Whether the body is longer than `rawBytes`. */
    isCut: boolean
  }
  /** Why the delivery failed. Set together with a status if the response was incomplete. */
  failure?: DeliveryFailure
}

export interface ConnectionAgents {
  http: HttpAgent
  https: HttpsAgent
  destroy(): void
}

/** Creates agents that keep connections for the next delivery. The caller must destroy them. */
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

/**
 * Agents that open a new connection, and a new TLS session, for each delivery. They are shared,
 * because Node would create an agent for each request without one.
 */
const freshAgents = {
  http: new HttpAgent(),
  httpsAgent: undefined as HttpsAgent | undefined,
  get https(): HttpsAgent {
    // Without this context, Node would read all root certificates again for each connection.
    return (this.httpsAgent ??= new HttpsAgent({
      maxCachedSessions: 0,
      secureContext: createSecureContext(),
    }))
  },
}

/** The maximum number of bytes of a response's body that are kept. */
const maxKeptBytes = 4096
/** The maximum number of bytes of a response's body. A longer response is cut off. */
const maxBytes = 256 * 1024

/**
 * Sends one delivery, without following redirects. Sends it twice only if a reused connection is
 * closed before the response. Never rejects: `failure` contains the reason.
 */
export async function send(delivery: Delivery, options: SendOptions = {}): Promise<DeliveryResult> {
  const startedAt = performance.now()
  const address = addressOf(delivery.url)
  if (address === undefined)
    return {
      headers: {},
      body: '',
      durationMs: 0,
      failure: { reason: 'unreachable', message: 'The URL is not an absolute http or https URL' },
    }
  const deadline = new AbortController()
  const stop = (options.timers ?? wallTimers).after(options.timeoutMs ?? 10_000, () =>
    deadline.abort(),
  )
  let lastAttempt = await attempt(delivery, options, address, deadline.signal)
  // The receiver may close a kept connection at any time. If that happens before a response, the
  // delivery is sent again on a new connection.
  if (lastAttempt.isStale) lastAttempt = await attempt(delivery, options, address, deadline.signal)
  stop()
  return { ...lastAttempt.result, durationMs: performance.now() - startedAt }
}

interface AttemptResult {
  result: Omit<DeliveryResult, 'durationMs'>
  isStale: boolean
}

function attempt(
  delivery: Delivery,
  options: SendOptions,
  address: Address,
  timeoutSignal: AbortSignal,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    let request: ClientRequest
    try {
      options.signal?.throwIfAborted()
      request = openRequest(delivery, options, address)
    } catch (error) {
      resolve({ result: { headers: {}, body: '', failure: failureOf(error) }, isStale: false })
      return
    }
    let received: IncomingMessage | undefined
    const chunks: Buffer[] = []
    let size = 0
    const finish = (failure?: DeliveryFailure, error?: unknown) => {
      timeoutSignal.removeEventListener('abort', onTimeout)
      options.signal?.removeEventListener('abort', onAbort)
      const bytes = Buffer.concat(chunks)
      const stale = received === undefined && request.reusedSocket && isReset(error)
      resolve({
        result: {
          ...(received === undefined ? {} : { status: received.statusCode ?? 0 }),
          headers: joinHeaders(received),
          body: bytes.subarray(0, maxKeptBytes).toString(),
          ...(received === undefined || options.rawBytes === undefined
            ? {}
            : { raw: { headers: received.rawHeaders, body: bytes, isCut: size > bytes.length } }),
          ...(failure === undefined ? {} : { failure }),
        },
        isStale: stale,
      })
    }
    const end = (failure?: DeliveryFailure) => {
      finish(failure)
      request.destroy()
    }
    const onAbort = () => end(stopped)
    const onTimeout = () => end(timeout)
    timeoutSignal.addEventListener('abort', onTimeout)
    options.signal?.addEventListener('abort', onAbort)

    // `finish` has no effect after the first result. The listener is still needed, because an error
    // without a listener would end the process.
    request.on('error', (error) => finish(failureOf(error), error))
    request.on('close', () =>
      finish({ reason: 'broken', message: 'The connection ended without a response' }),
    )
    // If the timeout passed during the first attempt, the second one ends at once.
    if (timeoutSignal.aborted) return end(timeout)
    request.on('response', (response) => {
      received = response
      const { rawBytes } = options
      const kept = rawBytes ?? maxKeptBytes
      response.on('data', (chunk: Buffer) => {
        if (size < kept) chunks.push(chunk.subarray(0, kept - size))
        size += chunk.length
        if (size > (rawBytes ?? maxBytes)) end()
      })
      response.on('end', () => finish())
      response.on('error', (error) => finish(failureOf(error)))
    })
  })
}

function openRequest(
  { headers, body, method = 'POST', rejectUnauthorized = true }: Delivery,
  { agents, chunked = false, headerCase = 'canonical' }: SendOptions,
  address: Address,
): ClientRequest {
  const { secure, hostname, port, host, path, auth } = address
  const all: Header[] = [
    ...(headers.some(([name]) => name === 'Host') ? [] : [['Host', host] satisfies Header]),
    ...(auth === undefined
      ? []
      : [['Authorization', `Basic ${Buffer.from(auth).toString('base64')}`] satisfies Header]),
    ...headers,
    chunked
      ? ['Transfer-Encoding', 'chunked']
      : ['Content-Length', String(Buffer.byteLength(body))],
  ]
  const casedHeaders =
    headerCase === 'canonical'
      ? all
      : all.map(([name, value]) => [
          headerCase === 'lower' ? name.toLowerCase() : name.toUpperCase(),
          value,
        ])
  // Node sends headers from a flat list unchanged, and in the order of the list.
  const common = { hostname, port, path, method, headers: casedHeaders.flat() }
  const used = agents ?? freshAgents
  const request = secure
    ? requestHttps({ ...common, agent: used.https, rejectUnauthorized })
    : requestHttp({ ...common, agent: used.http })
  // With a string as the body, Node would write the headers in the encoding of that string. With
  // bytes as the body, it writes the headers as Latin-1.
  const bytes = Buffer.from(body)
  if (!chunked) return request.end(bytes)
  request.write(bytes.subarray(0, bytes.length >> 1))
  return request.end(bytes.subarray(bytes.length >> 1))
}

function joinHeaders(response: IncomingMessage | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response?.headers ?? {}).map(([name, value]) => [
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
