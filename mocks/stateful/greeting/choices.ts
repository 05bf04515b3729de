/**
 * What the document leaves open, one field for each freedom. The value named first is the default.
 * Whatever is chosen here, the server keeps the document.
 */
export interface GreetingChoices {
  // Responses
  /**
   * Which responses a stream gets: one or two for each request; one for three requests; one each after the last request, in their order
   * or backwards; one for all; or one each, between a welcome and a farewell.
   */
  pairing: 'one' | 'two' | 'batched' | 'after' | 'backwards' | 'together' | 'framed'
  wording: 'hello' | 'bare' | 'long' | 'shouted' | 'numbered' | 'anonymous'
  timestamp: 'iso' | 'offset' | 'nanos' | 'plain' | 'http' | 'seconds' | 'millis'

  // Odd requests
  emptyName: 'greet' | 'refuse' | 'skip'
  missingId: 'greet' | 'refuse' | 'skip'
  repeatedId: 'greet' | 'refuse' | 'skip'
  /** What a stream gets that ends without a request. */
  noRequests: 'ok' | 'refuse'
  /** With which status all these are refused. */
  refusalStatus: 3 | 2 | 9 | 11

  // Limits
  /** The largest message that is taken, in bytes; -1 is any. */
  maxReceiveBytes: number
  /** How many requests a stream may have; 0 is any number. More of them get status 8. */
  streamLimit: number
  /** Streams of one connection at once; 0 is any number. */
  maxStreams: number

  // gRPC
  /** When the headers go out. */
  headers: 'first response' | 'at once'
  contentType: 'application/grpc+proto' | 'application/grpc'
  /** What else headers and trailers carry: nothing, something of the server's, or what the caller sent with names that begin with x-. */
  metadata: 'none' | 'own' | 'echo'
  /** Whether trailers with status 0 have a text too. */
  okMessage: true | false
  /** How messages are cut into DATA frames. */
  frames: 'whole' | 'split' | 'bytes'
  /** Whether requests may be compressed with gzip; those that may not get status 12. */
  gzipRequests: 'accept' | 'refuse'
  /** Whether responses are compressed for callers that understand it. */
  gzipResponses: false | true
  /** What a caller without the token gets. */
  unauthenticatedStatus: 16 | 7
  reflection: 'both' | 'v1' | 'v1alpha' | 'none'
  health: true | false
}

export const defaultChoices: Readonly<GreetingChoices> = Object.freeze({
  pairing: 'one',
  wording: 'hello',
  timestamp: 'iso',
  emptyName: 'greet',
  missingId: 'greet',
  repeatedId: 'greet',
  noRequests: 'ok',
  refusalStatus: 3,
  maxReceiveBytes: 4 * 1024 * 1024,
  streamLimit: 0,
  maxStreams: 0,
  headers: 'first response',
  contentType: 'application/grpc+proto',
  metadata: 'none',
  okMessage: true,
  frames: 'whole',
  gzipRequests: 'accept',
  gzipResponses: false,
  unauthenticatedStatus: 16,
  reflection: 'both',
  health: true,
})
