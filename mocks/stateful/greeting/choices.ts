/**
 * What the contract leaves open, one field for each choice. The first value is the default; for
 * numbers, see `defaultChoices`. The server conforms to the contract with every combination.
 */
export interface GreetingChoices {
  // Responses
  /**
   * How responses relate to requests. `one`: one response for each request. `two`: two for each
   * request. `batched`: one for three requests. `after` and `backwards`: one for each request, sent
   * after the last request, in order or in reverse. `together`: one for all requests. `framed`: one
   * for each request, between a welcome and a farewell.
   */
  pairing: 'one' | 'two' | 'batched' | 'after' | 'backwards' | 'together' | 'framed'
  wording: 'hello' | 'bare' | 'long' | 'shouted' | 'numbered' | 'anonymous'
  timestamp: 'iso' | 'offset' | 'nanos' | 'plain' | 'http' | 'seconds' | 'millis'

  // Unusual requests
  emptyName: 'greet' | 'refuse' | 'skip'
  missingId: 'greet' | 'refuse' | 'skip'
  repeatedId: 'greet' | 'refuse' | 'skip'
  /** The response to a stream without requests. */
  noRequests: 'ok' | 'refuse'
  /** The gRPC status with which unusual requests are refused. */
  refusalStatus: 3 | 2 | 9 | 11

  // Limits
  /** The maximum size of a request message in bytes; -1 is unlimited. */
  maxReceiveBytes: number
  /**
   * The maximum number of requests of a stream; 0 is unlimited. Further requests are refused with
   * status 8.
   */
  streamLimit: number
  /** The maximum number of concurrent streams of a connection; 0 is unlimited. */
  maxStreams: number

  // gRPC
  /** When the headers are sent. */
  headers: 'first response' | 'at once'
  contentType: 'application/grpc+proto' | 'application/grpc'
  /**
   * Extra metadata in headers and trailers: none, the server's own metadata, or the metadata of the
   * caller with names that start with x-.
   */
  metadata: 'none' | 'own' | 'echo'
  /** Whether trailers with status 0 also contain a message. */
  okMessage: true | false
  /** How the first 200 responses of a stream are split into DATA frames; later ones are whole. */
  frames: 'whole' | 'split' | 'bytes'
  /** Whether requests compressed with gzip are accepted, or refused with status 12. */
  gzipRequests: 'accept' | 'refuse'
  /**
   * Whether the first 200 responses of a stream are compressed for callers that accept gzip; later
   * ones are not.
   */
  gzipResponses: false | true
  /** The gRPC status for a caller without the token. */
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
