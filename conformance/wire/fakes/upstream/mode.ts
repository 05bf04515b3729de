/**
 * How the fake upstream responds:
 *
 * - an `UpstreamResponse`: with this response;
 * - `hang`: it never responds;
 * - `stall`: it sends the status, the headers and part of the body;
 * - `reset`: it resets the connection;
 * - `garbage`: it sends status 200, application/json and a body that is not JSON;
 * - `forward`: it forwards the request to the real upstream.
 */
export type UpstreamMode = UpstreamResponse | 'hang' | 'stall' | 'reset' | 'garbage' | 'forward'

/**
 * A response. A body that is not a string is sent as JSON; by default it is a JSON object whose
 * `message` is the text of the status.
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
  /** How the request was handled. */
  readonly mode: UpstreamMode
  /** Milliseconds since the epoch, by the clock of the upstream. */
  readonly at: number
  /** The status of the response, forwarded or not. */
  status: number | undefined
  /** The Location header of the response, if it has one. */
  location: string | undefined
  /** The first 16 KiB of the body of a forwarded response with status 201. */
  createdBody: string | undefined
  /**
   * What a GET request for the same path returned at the real upstream before this request was
   * forwarded. Undefined if `FakeUpstream.withStates` did not run, or if nothing was returned.
   */
  stateBefore: ResourceState | undefined
  /**
   * The time at which the connection ended, if no complete response had been sent by then. Causes:
   * the client closed it, the mode was `reset`, or the upstream was closed.
   */
  abortedAt: number | undefined
}

/** The response to a GET request for a resource of the real upstream. */
export interface ResourceState {
  readonly status: number
  readonly body: string
}
