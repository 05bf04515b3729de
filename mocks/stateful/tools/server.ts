import type { Readable, Writable } from 'node:stream'
import type { Auth } from './auth/index.ts'
import type { ToolsContext } from './call.ts'
import type { LineService } from './lines.ts'

/** A tool server that was started. */
export interface ToolsServer {
  /** Where streamable HTTP is served. */
  mcp: string
  /** Where HTTP+SSE is served. */
  sse: string
  /** The URL that changes the upstream; undefined without it. */
  hook: string | undefined
  /** The URL that sets the clock; undefined without the other. */
  clock: string | undefined
  /** The URL that changes the identity provider; undefined without the others, and where there is none. */
  identity: string | undefined
  /** As it was started. */
  auth: Auth
  /** What handlers and faults get as `call.server`. */
  context: ToolsContext
  /** Serves another client over two streams, with the same memory and the same upstream. */
  serveStdio(input: Readable, output: Writable): LineService
  /** Ends it at once, with all sessions. */
  close(): Promise<void>
}
