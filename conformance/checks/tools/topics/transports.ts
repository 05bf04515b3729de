import { Blocked } from '../../../engine/index.ts'
import type { McpTransport } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { transportRequirements } from '../support/transport-requirements.ts'
import { describeEndpointFlaw } from '../support/sse-endpoint.ts'
import { hasInitializeResult, isAccessDenied, isInitialized } from '../support/handshake.ts'

const names: Record<McpTransport, string> = {
  http: 'streamable HTTP',
  sse: 'HTTP with server-sent events',
  stdio: 'standard input and output',
}

const checkTransport = (transport: McpTransport) =>
  check(transportRequirements[transport], {
    title: `serves over ${names[transport]}`,
    async run({ openSharedSession, expect, authentication }) {
      const { connection, handshake, listPages } = await openSharedSession(transport)
      const flaw =
        transport === 'sse' && handshake.result === undefined
          ? describeEndpointFlaw(connection)
          : undefined
      if (flaw !== undefined) throw new Blocked('TOOL-SSE-02', flaw)
      // If the server refused the credentials, the transport was not tested.
      if (isAccessDenied(connection, handshake))
        throw new Blocked(authentication.servedRequirement, handshake.summary)
      expect(handshake, hasInitializeResult)
      // TOOL-MCP-01 reports an incomplete result of initialize, TOOL-SERVER-01 a missing list.
      if (!isInitialized(handshake)) throw new Blocked('TOOL-MCP-01', handshake.summary)
      if (!Array.isArray(listPages[0]?.result?.['tools']))
        throw new Blocked('TOOL-SERVER-01', listPages[0]?.summary ?? 'no list of tools')
    },
  })

export const transportChecks = [
  checkTransport('http'),
  checkTransport('sse'),
  checkTransport('stdio'),
]
