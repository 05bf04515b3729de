import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Known } from './guard.ts'
import { newShelf } from './shelf.ts'

type Serve = (request: Known, response: ServerResponse) => Promise<void>

/** A session is its user's: nobody else finds it. */
interface Owned<T> {
  transport: T
  owner: unknown
}

const userOfRequest = ({ auth }: Known): unknown => auth?.extra?.['user']

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      jsonrpc: '2.0',
      error: { code: status === 404 ? -32001 : -32000, message },
      id: null,
    }),
  )
}

/** Streamable HTTP with sessions, as the SDK's examples do it. */
export function newStreamableDoor(): Serve {
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
      onsessioninitialized: (given) =>
        void sessions.set(given, { transport, owner: userOfRequest(request) }),
    })
    transport.onclose = () => void sessions.delete(transport.sessionId ?? '')
    const server = newShelf()
    await server.connect(transport as Transport)
    // Whoever was no beginning is answered by the transport, and nobody can come back to it.
    response.once('close', () => {
      if (transport.sessionId === undefined) void server.close()
    })
    await transport.handleRequest(request, response)
  }
}

/** HTTP+SSE of the first revision: a stream, and the place for messages that it names. */
export function newEventDoor(): { open: Serve; post: Serve } {
  const sessions = new Map<string, Owned<SSEServerTransport>>()
  return {
    async open(request, response) {
      if (request.method !== 'GET') return refuse(response, 405, 'Method not allowed')
      const transport = new SSEServerTransport('/messages', response)
      sessions.set(transport.sessionId, { transport, owner: userOfRequest(request) })
      transport.onclose = () => void sessions.delete(transport.sessionId)
      await newShelf().connect(transport)
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
