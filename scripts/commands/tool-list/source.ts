import { existsSync } from 'node:fs'
import type { McpTransport } from '../../../conformance/wire/index.ts'

/** A prefix that selects the transport: `stdio:node server.js`, `sse:http://127.0.0.1:8000/sse`. */
const prefixed = /^(stdio|sse):(.+)$/s

/** A host with a port and perhaps a path, such as `127.0.0.1:8000/mcp`. */
const hostWithPort = /^([\w.-]+|\[[\da-f:]+\]):\d+(\/.*)?$/i

/** A server whose tools can be listed: its URL or command line. */
export interface ToolServer {
  readonly transport: McpTransport
  readonly address: string
}

/**
 * Returns the server that a word on the command line names: a URL, a host with a port, `sse:URL` or
 * `stdio:COMMAND`. Undefined if the word names a file.
 */
export function serverIn(source: string): ToolServer | undefined {
  const [, transport, address] = prefixed.exec(source) ?? []
  if (transport === 'stdio' || transport === 'sse')
    return { transport, address: transport === 'sse' ? withScheme(address!) : address! }
  const url = withScheme(source)
  return /^https?:\/\//i.test(url) && (url === source || !existsSync(source))
    ? { transport: 'http', address: url }
    : undefined
}

const withScheme = (address: string): string =>
  hostWithPort.test(address) ? `http://${address}` : address
