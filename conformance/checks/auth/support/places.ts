import type { HttpExchange, HttpRequest, McpTransport } from '../../../wire/index.ts'

/** A place at which a token is asked for: one method of one address, within a session or not. */
export interface ProtectedPlace {
  /** «POST /mcp», «GET /mcp in a session», «GET /sse», «POST to the message endpoint». */
  readonly name: string
  readonly transport: Exclude<McpTransport, 'stdio'>
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Whether it lies within a session that a good token opened. */
  readonly inSession: boolean
  /** A request there. */
  request(authorization: string | undefined): HttpRequest
}

/** A session over streamable HTTP that a good token opened. */
export interface HttpSession {
  id: string | undefined
  protocolVersion: string | undefined
}

const hello = {
  jsonrpc: '2.0',
  id: 'touchstone',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'touchstone', version: '1' },
  },
}
const list = { jsonrpc: '2.0', id: 'touchstone', method: 'tools/list', params: {} }
const both = 'application/json, text/event-stream'

/** The same request with another header, or none. A body that does not end is not waited for. */
function at(
  request: Omit<HttpRequest, 'operation' | 'rest'>,
  authorization: string | undefined,
): HttpRequest {
  const { headers, ...rest } = request
  return {
    operation: 'resource',
    readBody: 'of refusals',
    ...rest,
    headers: {
      ...headers,
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
  }
}

/** Places of streamable HTTP: outside of sessions, and inside of one where the server keeps them. */
export function httpPlaces(url: string, session: HttpSession | undefined): ProtectedPlace[] {
  const path = new URL(url).pathname
  const place = (
    method: ProtectedPlace['method'],
    name: string,
    inSession: boolean,
    given: Omit<HttpRequest, 'operation' | 'method' | 'url'>,
  ): ProtectedPlace => ({
    name,
    transport: 'http',
    method,
    inSession,
    request: (authorization) => at({ method, url, ...given }, authorization),
  })
  const outside = [
    place('POST', `POST ${path}`, false, {
      headers: { Accept: both },
      body: { kind: 'json', value: hello },
    }),
    place('GET', `GET ${path}`, false, { headers: { Accept: 'text/event-stream' } }),
    place('DELETE', `DELETE ${path}`, false, {}),
  ]
  if (session?.id === undefined) return outside
  const headers = {
    'Mcp-Session-Id': session.id,
    ...(session.protocolVersion === undefined
      ? {}
      : { 'MCP-Protocol-Version': session.protocolVersion }),
  }
  return [
    ...outside,
    place('POST', `POST ${path} in a session`, true, {
      headers: { Accept: both, ...headers },
      body: { kind: 'json', value: list },
    }),
    place('GET', `GET ${path} in a session`, true, {
      headers: { Accept: 'text/event-stream', ...headers },
    }),
    // With a good token it ends the session: whoever asks so asks last.
    place('DELETE', `DELETE ${path} in a session`, true, { headers }),
  ]
}

/** Places of HTTP+SSE: the stream itself, and the endpoint that a stream told of. */
export function ssePlaces(url: string, endpoint: string | undefined): ProtectedPlace[] {
  const stream: ProtectedPlace = {
    name: `GET ${new URL(url).pathname}`,
    transport: 'sse',
    method: 'GET',
    inSession: false,
    request: (authorization) =>
      at({ method: 'GET', url, headers: { Accept: 'text/event-stream' } }, authorization),
  }
  if (endpoint === undefined || !URL.canParse(endpoint, url)) return [stream]
  const target = new URL(endpoint, url).href
  return [
    stream,
    {
      name: 'POST to the message endpoint',
      transport: 'sse',
      method: 'POST',
      inSession: true,
      request: (authorization) =>
        at({ method: 'POST', url: target, body: { kind: 'json', value: list } }, authorization),
    },
  ]
}

export const isServed = ({ status = 0 }: HttpExchange): boolean => status >= 200 && status < 300
