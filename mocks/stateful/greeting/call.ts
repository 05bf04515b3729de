import type { Metadata } from '@grpc/grpc-js'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { GreetingRequest, GreetingResponse } from '../../../generated/greeting/index.ts'
import type { GreetingChoices } from './choices.ts'
import type { GreetingRules } from './rules.ts'

/** The options with every default filled in. */
export interface ResolvedGreetingOptions {
  /** The full name of the service: `examples.GreetingService`. */
  service: string
  /** The bearer token that callers must send; undefined if none is required. */
  token: string | undefined
  /** Returns the delay of the next response, in milliseconds; undefined for no delays. */
  delayMs: (() => number) | undefined
}

export interface GreetingContext {
  options: ResolvedGreetingOptions
  choices: GreetingChoices
  rules: GreetingRules
  /** Milliseconds since the epoch, for `server_timestamp`. */
  now: () => number
  /** The calls that have not ended. */
  readonly openCalls: ReadonlySet<GreetingCall>
}

/** How a stream ends. */
export interface Ending {
  /** A gRPC status; 0 is OK. */
  code: number
  details?: string
  trailers?: Metadata
}

/**
 * One stream. A fault may change any field before it calls `next`, or end the stream without
 * calling `next`.
 */
export interface GreetingCall {
  operation: 'BidirectionalGreeting'
  server: GreetingContext
  /** The metadata that the caller sent. */
  metadata: Metadata
  /** The metadata to send before the first response. */
  headers: Metadata
  /**
   * The requests in the order received. A request is read from the connection only when the handler
   * asks for it.
   */
  requests: AsyncIterable<GreetingRequest>
  /** Sends the headers now instead of with the first response. */
  sendHeaders(): void
  /**
   * Sends a response, or raw bytes. If the caller cannot receive more yet, returns a promise, which
   * must be awaited before more is sent. Otherwise, or if the caller has disconnected, returns
   * undefined.
   */
  send(response: Partial<GreetingResponse> | Uint8Array): Promise<void> | undefined
  /** Whether the caller has disconnected. */
  readonly hasDisconnected: boolean
}

/** Wraps the handler of a stream. If the middleware throws, the stream ends with status 13. */
export type GreetingMiddleware = (
  call: GreetingCall,
  next: () => Promise<Ending>,
) => Promise<Ending>

/**
 * Intercepts HTTP/2 streams before gRPC, for every method and for unknown ones. It may change the
 * received headers, replace methods of the stream (respond, write, sendTrailers), or respond itself
 * and not call `next`.
 */
export type StreamMiddleware = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  next: () => void,
) => void
