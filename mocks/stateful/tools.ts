import type { Readable, Writable } from 'node:stream'
import type { Serving } from '../serving/serving.ts'
import { newContext, type ServingOptions } from './tools/context.ts'
import { newHost } from './tools/host.ts'
import { serveLines, type LineService } from './tools/lines.ts'
import type { ToolsServer } from './tools/server.ts'

export type { Auth } from './tools/auth/index.ts'
export type { AuditEntry } from './audit.ts'
export type { Guard } from './tools/auth/guard.ts'
export type { ProxyOptions } from './tools/auth/oauth.ts'
export type { JwtGuard } from './tools/auth/jwt/guard.ts'
export type {
  LineRewriter,
  DeviationPoints,
  ToolCall,
  TransportName,
  MessageSource,
} from './tools/call.ts'
export { completeChoices, type ToolsChoices } from './tools/choices.ts'
export type { ServingOptions } from './tools/context.ts'
export type { LineService } from './tools/lines.ts'
export { newCallLog } from './tools/call-log.ts'
export { setHeader } from './tools/headers.ts'
export {
  isRequest,
  isResponse,
  JsonRpcError,
  type Definition,
  type JsonRpc,
  type ToolResult,
} from './tools/protocol.ts'
export { defaultRules, type ToolsRules } from './tools/rules.ts'
export type { ToolsServer } from './tools/server.ts'
export { targetOf } from './tools/target.ts'

export interface ToolsOptions extends ServingOptions {
  /** 0 lets the system choose a free port. */
  port?: number
  /**
   * Whether to serve these control routes:
   * - `POST /_touchstone/upstream` with `{"url": URL or null}` changes the upstream.
   * - `POST /_touchstone/clock` with `{"offsetSeconds": N}` moves the clock of timeouts, codes and
   *   tokens.
   * - `POST /_touchstone/identity` with `{"url": URL or null}` changes the identity provider of an
   *   OAuth proxy.
   * - `POST /_touchstone/reset` restores the initial readers and loans, the clock and the upstream.
   * - `GET /_touchstone/audit` returns the latest entries of the audit log.
   */
  controlRoutes?: boolean
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

/**
 * Starts the tool server on a port of the loopback address. If the port is in use, rejects with an
 * error that has a `code` and the `port`.
 */
export async function startTools({
  port = 0,
  controlRoutes = false,
  serving,
  ...options
}: ToolsOptions = {}): Promise<ToolsServer> {
  const { auth = { pattern: 'none' } } = options
  const context = await newContext(options)
  const host = newHost(context, controlRoutes, serving)
  const lines = new Set<LineService>()
  try {
    const origin = await host.listen(port)
    return {
      mcp: `${origin}/mcp`,
      sse: `${origin}/sse`,
      upstreamControl: controlRoutes ? `${origin}/_touchstone/upstream` : undefined,
      clockControl: controlRoutes ? `${origin}/_touchstone/clock` : undefined,
      identityControl:
        controlRoutes && auth.pattern === 'oauth-proxy'
          ? `${origin}/_touchstone/identity`
          : undefined,
      auth,
      context,
      serveStdio(input, output) {
        const service = serveLines(context, input, output)
        lines.add(service)
        void service.closed.then(() => lines.delete(service))
        return service
      },
      async close() {
        await Promise.all([...lines].map((service) => service.close()))
        await host.close()
        await context.upstream.close()
      },
    }
  } catch (error) {
    await context.upstream.close()
    throw error
  }
}

/**
 * Serves one client that writes to `input` and reads from `output`. Only JSON-RPC messages are
 * written to `output`.
 */
export async function serveStdio(
  options: ServingOptions,
  input: Readable,
  output: Writable,
): Promise<LineService> {
  const context = await newContext(options)
  const { closed, close } = serveLines(context, input, output)
  const ended = closed.then(() => context.upstream.close())
  return {
    closed: ended,
    async close() {
      await close()
      await ended
    },
  }
}
