/** How the fake upstream responds. */
export type UpstreamMode = UpstreamResponse | 'hang' | 'stall' | 'reset' | 'garbage' | 'forward'

/**
 * A response. A body that is not a string is sent as JSON; by default it is a JSON object with the
 * text of the status.
 */
export interface UpstreamResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request to the fake upstream. */
export interface UpstreamRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Without the question mark; empty if there is no query. */
  readonly query: string
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The first 64 KiB, decoded as UTF-8. */
  readonly body: string
  /** How it was handled. */
  readonly mode: UpstreamMode
  /** Milliseconds since the epoch, by the clock of the upstream. */
  readonly at: number
  /** The status of the response, forwarded or not. */
  status: number | undefined
  /** The header Location of a forwarded response. */
  location: string | undefined
  /**
   * When the connection ended without a response, for any reason: the client closed it, it was
   * reset, the upstream was closed.
   */
  abortedAt: number | undefined
}
