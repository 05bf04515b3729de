import type { TransportName } from '../../../../mocks/stateful/tools.ts'
import type { ToolsFault } from './fault.ts'
import { door, fault, onMessage, over, pathOf } from './building.ts'

const rows = { http: 'TOOL-HTTP-01', sse: 'TOOL-SSE-01', stdio: 'TOOL-STDIO-01' } as const

/** Refuses the handshake on one transport, and serves on the others. */
const refuses = (transport: TransportName) =>
  fault(
    `${transport}-refuses-the-handshake`,
    `Answers initialize with an error over ${transport}.`,
    [rows[transport]],
    over(
      ['http', 'sse', 'stdio'],
      onMessage((response, { method, where }) =>
        method === 'initialize' && where.transport === transport
          ? {
              jsonrpc: '2.0',
              id: response['id'],
              error: { code: -32603, message: 'Internal error' },
            }
          : response,
      ),
    ),
  )

/** Has nothing at a path. */
const absent = (transport: 'http' | 'sse', path: string) =>
  fault(
    `${transport}-is-not-there`,
    `Answers 503 at ${path}.`,
    [rows[transport]],
    over(
      ['http', 'sse', 'stdio'],
      door((request, response, hit) => {
        if (pathOf(request) !== path) return false
        hit()
        response.writeHead(503, { 'content-type': 'text/plain' }).end('Service Unavailable')
        return true
      }),
    ),
  )

/** Transports on which nobody is served, while the others work. */
export const serving: readonly ToolsFault[] = [
  refuses('http'),
  refuses('sse'),
  refuses('stdio'),
  absent('http', '/mcp'),
  absent('sse', '/sse'),
  fault(
    'stdio-says-nothing',
    'Never writes a line.',
    ['TOOL-STDIO-01'],
    over(['http', 'stdio'], (hit) => ({
      lines() {
        hit()
        return undefined
      },
    })),
  ),
]
