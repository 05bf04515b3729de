import type { Metadata } from '@grpc/grpc-js'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { GreetingRequest, GreetingResponse } from '../../../generated/greeting/index.ts'
import type { GreetingChoices } from './choices.ts'
import type { GreetingRules } from './rules.ts'

/** The options with every default filled in. */
export interface ResolvedGreetingOptions {
  /** The full name of the service: `examples.GreetingService`. */
  service: string
  /** What callers have to send as a bearer token; undefined where everybody is served. */
  token: string | undefined
  delayMs: number
}

export interface GreetingContext {
  options: ResolvedGreetingOptions
  choices: GreetingChoices
  rules: GreetingRules
  /** Streams of the method that have not ended. */
  readonly open: ReadonlySet<GreetingCall>
}

/** How a stream ends. */
export interface Ending {
  /** A status of gRPC; 0 is OK. */
  code: number
  details?: string
  trailers?: Metadata
}

/** One stream, on its way to its handler. A fault may change any field before it calls `next`, or do without it. */
export interface GreetingCall {
  operation: 'BidirectionalGreeting'
  server: GreetingContext
  /** What the caller sent beside its requests. */
  metadata: Metadata
  /** What goes out before the first response. */
  headers: Metadata
  /** As they come; the next one is read from the connection only when it is asked for. */
  requests: AsyncIterable<GreetingRequest>
  /** Sends the headers now, and not with the first response. */
  begin(): void
  /** Sends a response, or bytes in the place of one. What it gives has to be awaited: it lasts until the caller takes more. */
  send(response: Partial<GreetingResponse> | Uint8Array): Promise<void> | undefined
  /** Whether the caller has gone. */
  readonly gone: boolean
}

/** Stands around the handler of a stream. Throwing ends it with status 13. */
export type GreetingMiddleware = (
  call: GreetingCall,
  next: () => Promise<Ending>,
) => Promise<Ending>

/**
 * Stands before gRPC itself, in front of every method and of those that there are not. It may change the headers that came in, replace
 * methods of the HTTP/2 stream (respond, write, sendTrailers), or answer alone and never call `next`.
 */
export type StreamMiddleware = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  next: () => void,
) => void
