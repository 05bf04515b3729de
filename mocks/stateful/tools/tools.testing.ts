import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  type ClientCapabilities,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished } from 'vitest'
import {
  startTools,
  type ToolResult,
  type ToolsOptions,
  type ToolsServer,
  type TransportName,
} from '../tools.ts'

/** Starts a server that closes after its test. */
export async function startServer(options: ToolsOptions = {}): Promise<ToolsServer> {
  const server = await startTools(options)
  onTestFinished(() => server.close())
  return server
}

/** A client of the official SDK, and the logs that it received. */
export interface TestClient {
  client: Client
  logs: { level: string; data: unknown }[]
  /** Calls a tool; `onProgress` receives its progress. */
  call(
    name: string,
    args?: Record<string, unknown>,
    onProgress?: (progress: { progress: number }) => void,
  ): Promise<ToolResult>
  /** Calls a tool and returns the text of its result. */
  text(name: string, args?: Record<string, unknown>): Promise<string>
}

/**
 * Connects the official client. It supports elicitation only if `answer` is set, and then responds
 * with this answer. `capabilities` are its other capabilities.
 */
export async function connectClient(
  server: ToolsServer,
  transport: TransportName = 'http',
  answer?: ElicitResult,
  capabilities: ClientCapabilities = {},
): Promise<TestClient> {
  const client = new Client(
    { name: 'tester', version: '1' },
    { capabilities: { ...capabilities, ...(answer === undefined ? {} : { elicitation: {} }) } },
  )
  const logs: TestClient['logs'] = []
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logs.push(params),
  )
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, () => answer)
  onTestFinished(() => client.close())
  await client.connect(transportTo(server, transport))
  const call: TestClient['call'] = async (name, args = {}, onProgress) =>
    (await client.callTool(
      { name: `shelf_${name}`, arguments: args },
      undefined,
      onProgress === undefined ? {} : { onprogress: onProgress },
    )) as unknown as ToolResult
  return {
    client,
    logs,
    call,
    text: async (name, args) => (await call(name, args)).content[0]?.text ?? '',
  }
}

function transportTo(server: ToolsServer, transport: TransportName): Transport {
  switch (transport) {
    case 'http':
      return new StreamableHTTPClientTransport(new URL(server.mcp)) as Transport
    case 'sse':
      return new SSEClientTransport(new URL(server.sse)) as Transport
    case 'stdio':
      return streamTransport(server)
  }
}

/** The client's transport over two streams. */
function streamTransport(server: ToolsServer): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const buffer = new ReadBuffer()
  const transport: Transport = {
    async start() {
      const service = server.serveStdio(input, output)
      void service.closed.then(() => transport.onclose?.())
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk)
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message)
      })
    },
    async send(message) {
      input.write(serializeMessage(message))
    },
    async close() {
      input.end()
    },
  }
  return transport
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/**
 * Sends one POST to the streamable transport. Returns the response and its JSON, from a JSON body
 * or from an event stream.
 */
export async function post(
  server: ToolsServer,
  message: unknown,
  more: Record<string, string> = {},
): Promise<{
  status: number
  session: string | null
  text: string
  json: Record<string, unknown>
}> {
  const response = await fetch(server.mcp, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  let json: Record<string, unknown> = {}
  try {
    json = JSON.parse(data) as Record<string, unknown>
  } catch {
    /* Not JSON. */
  }
  return { status: response.status, session: response.headers.get('mcp-session-id'), text, json }
}

export const initializeRequest = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
})

/** Opens a session and returns its id. */
export async function openSession(server: ToolsServer): Promise<string> {
  return (await post(server, initializeRequest())).session ?? ''
}

/** Polls until the condition is met, for at most a minute. */
export async function waitUntil(isMet: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (Date.now() < end && !isMet()) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isMet()).toBe(true)
}
