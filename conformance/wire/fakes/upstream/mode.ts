/** What the played upstream does with the requests that come from now on. */
export type UpstreamMode = UpstreamResponse | 'hang' | 'reset' | 'garbage' | 'forward'

/** An answer. A body that is no text goes out as JSON; without one, it is a JSON object that says nothing but the status. */
export interface UpstreamResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request that came to the played upstream. */
export interface UpstreamRequest {
  readonly method: string
  /** Without its query. */
  readonly path: string
  /** Without the question mark; empty where there is none. */
  readonly query: string
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The first 64 KiB, as text. */
  readonly body: string
  /** What was done with it. */
  readonly mode: UpstreamMode
  /** Milliseconds since the epoch, by the given clock. */
  readonly at: number
  /** The status it was answered with, which when forwarded is that of the true upstream. */
  status: number | undefined
  /** When the connection was over without an answer, however that came: the client gave it up, it was reset, the upstream was closed. */
  abortedAt: number | undefined
}
