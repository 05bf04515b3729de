import type { Message } from '../../engine/index.ts'
import { HttpExchange } from '../../wire/exchange.ts'
import { McpExchange } from '../../wire/mcp.ts'

const transportNames = { http: 'streamable HTTP', sse: 'HTTP+SSE', stdio: 'stdio' } as const

/** The transport of an MCP message. */
export const transportOf = (message: Message): string | undefined =>
  message instanceof McpExchange ? transportNames[message.transport] : undefined

/**
 * The protected endpoint to which the suite sent a request. The paths are those of the reference
 * server.
 */
export function endpointOf(message: Message): string | undefined {
  if (!(message instanceof HttpExchange) || message.request.operation !== 'resource')
    return undefined
  const { method, url, headers = {} } = message.request
  const { pathname } = new URL(url)
  if (pathname === '/messages') return `${method} to the message endpoint`
  return `${method} ${pathname}${'Mcp-Session-Id' in headers ? ' in a session' : ''}`
}
