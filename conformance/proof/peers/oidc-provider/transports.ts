import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { AuthenticatedRequest } from './guard.ts'
import { newToolServer } from './shelf.ts'

type Serve = (request: AuthenticatedRequest, response: ServerResponse) => Promise<void>

/** A session, which only its user can use. */
interface Owned<T> {
  transport: T
  owner: unknown
}

const userOfRequest = ({ auth }: AuthenticatedRequest): unknown => auth?.extra?.['user']

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      jsonrpc: '2.0',
      error: { code: status === 404 ? -32001 : -32000, message },
      id: null,
    }),
  )
}

/** Serves Streamable HTTP with sessions, as in the examples of the SDK. */
export function newStreamableHandler(): Serve {
  const sessions = new Map<string, Owned<StreamableHTTPServerTransport>>()
  return async (request, response) => {
    const id = request.headers['mcp-session-id']
    if (id !== undefined) {
      const session = sessions.get(String(id))
      if (session === undefined || session.owner !== userOfRequest(request))
        return refuse(response, 404, 'Session not found')
      return session.transport.handleRequest(request, response)
    }
    if (request.method !== 'POST')
      return refuse(response, 400, 'The header Mcp-Session-Id is missing')
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) =>
        void sessions.set(id, { transport, owner: userOfRequest(request) }),
    })
    transport.onclose = () => void sessions.delete(transport.sessionId ?? '')
    const server = newToolServer()
    await server.connect(transport as Transport)
    // Without an initialize request, the transport responds with an error and opens no session. The
    // server is then closed together with the response.
    response.once('close', () => {
      if (transport.sessionId === undefined) void server.close()
    })
    await transport.handleRequest(request, response)
  }
}

/** Serves HTTP+SSE of the first revision of MCP: a stream, and its endpoint for messages. */
export function newEventHandlers(): { open: Serve; post: Serve } {
  const sessions = new Map<string, Owned<SSEServerTransport>>()
  return {
    async open(request, response) {
      if (request.method !== 'GET') return refuse(response, 405, 'Method not allowed')
      const transport = new SSEServerTransport('/messages', response)
      sessions.set(transport.sessionId, { transport, owner: userOfRequest(request) })
      transport.onclose = () => void sessions.delete(transport.sessionId)
      await newToolServer().connect(transport)
    },
    async post(request, response) {
      if (request.method !== 'POST') return refuse(response, 405, 'Method not allowed')
      const session = sessions.get(
        new URL(request.url ?? '/', 'http://shelf').searchParams.get('sessionId') ?? '',
      )
      if (session === undefined || session.owner !== userOfRequest(request))
        return refuse(response, 404, 'Session not found')
      await session.transport.handlePostMessage(request, response)
    },
  }
}
