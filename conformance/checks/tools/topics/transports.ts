import { Blocked } from '../../../engine/index.ts'
import type { McpTransport } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { transportRequirements } from '../support/transport-requirements.ts'
import { describeEndpointFlaw } from '../support/sse-endpoint.ts'
import { hasInitializeResult, isAccessDenied, isInitialized } from '../support/handshake.ts'

const words: Record<McpTransport, string> = {
  http: 'streamable HTTP',
  sse: 'server-sent events',
  stdio: 'standard input and output',
}

const servesOn = (transport: McpTransport) =>
  check(transportRequirements[transport], {
    title: `serves over ${words[transport]}`,
    async run({ handshake: shakeHands, expect, authentication }) {
      const { connection, handshake, listPages } = await shakeHands(transport)
      const flaw =
        transport === 'sse' && handshake.result === undefined
          ? describeEndpointFlaw(connection)
          : undefined
      if (flaw !== undefined) throw new Blocked('TOOL-SSE-02', flaw)
      // Whoever is not let in has not seen the transport.
      if (isAccessDenied(connection, handshake))
        throw new Blocked(authentication.served, handshake.summary)
      expect(handshake, hasInitializeResult)
      // A result that says nothing is no service: the row that it breaks tells that.
      if (!isInitialized(handshake)) throw new Blocked('TOOL-MCP-01', handshake.summary)
      if (!Array.isArray(listPages[0]?.result?.['tools']))
        throw new Blocked('TOOL-SERVER-01', listPages[0]?.summary ?? 'no list of tools')
    },
  })

/** That a server serves on each transport that the target file names. */
export const transports = [servesOn('http'), servesOn('sse'), servesOn('stdio')]
