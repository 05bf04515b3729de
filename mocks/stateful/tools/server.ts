import type { Readable, Writable } from 'node:stream'
import type { Auth } from './auth/index.ts'
import type { ToolsContext } from './call.ts'
import type { LineService } from './lines.ts'

/** A running tool server. */
export interface ToolsServer {
  /** The URL of streamable HTTP, if the server offers it. */
  mcp: string
  /** The URL of HTTP+SSE, if the server offers it. */
  sse: string
  /** The control URL that changes the upstream; undefined without control routes. */
  upstreamControl: string | undefined
  /** The control URL that moves the clock; undefined without control routes. */
  clockControl: string | undefined
  /**
   * The control URL that changes the identity provider; undefined without control routes or without
   * an identity provider.
   */
  identityControl: string | undefined
  /** The authentication options. */
  auth: Auth
  /** Passed to handlers and faults as `call.server`. */
  context: ToolsContext
  /** Serves another client over two streams, with the same state and upstream. */
  serveStdio(input: Readable, output: Writable): LineService
  /** Closes the server and all sessions at once. */
  close(): Promise<void>
}
