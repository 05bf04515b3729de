import type { TransportName } from '../../../../mocks/stateful/tools.ts'
import type { ToolsFault } from './fault.ts'
import { onHttpRequest, fault, onMessage, over, pathOf } from './building.ts'

const requirements = { http: 'TOOL-HTTP-01', sse: 'TOOL-SSE-01', stdio: 'TOOL-STDIO-01' } as const

/** Refuses the handshake on one transport and serves the others. */
const refuseHandshake = (transport: TransportName) =>
  fault(
    `${transport}-refuses-the-handshake`,
    `Responds to initialize with an error over ${transport}.`,
    [requirements[transport]],
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

/** Returns 503 at a path. */
const unavailable = (transport: 'http' | 'sse', path: string) =>
  fault(
    `${transport}-is-not-there`,
    `Returns 503 at ${path}.`,
    [requirements[transport]],
    over(
      ['http', 'sse', 'stdio'],
      onHttpRequest((request, response, hit) => {
        if (pathOf(request) !== path) return false
        hit()
        response.writeHead(503, { 'content-type': 'text/plain' }).end('Service Unavailable')
        return true
      }),
    ),
  )

/** Transports that serve nothing while the others work. */
export const transports: readonly ToolsFault[] = [
  refuseHandshake('http'),
  refuseHandshake('sse'),
  refuseHandshake('stdio'),
  unavailable('http', '/mcp'),
  unavailable('sse', '/sse'),
  fault(
    'stdio-writes-nothing',
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
