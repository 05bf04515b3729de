// The baseline for the cost of the official SDK: a tool that returns its message, over streamable
// HTTP with sessions.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'

const sessions = new Map<string, StreamableHTTPServerTransport>()

async function begin(): Promise<StreamableHTTPServerTransport> {
  const server = new McpServer({ name: 'echo_mcp', version: '1.0.0' })
  server.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }))
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await server.connect(transport as Transport)
  return transport
}

const server = createServer((request, response) => {
  void (async () => {
    const transport = sessions.get(String(request.headers['mcp-session-id'])) ?? (await begin())
    // The SDK is faster if it receives a parsed body, as from Express.
    await transport.handleRequest(request, response, JSON.parse(await text(request)))
  })()
})

// The benchmark disconnects from this process when it has ended.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }),
)
