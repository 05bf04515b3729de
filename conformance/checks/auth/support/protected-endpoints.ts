import type { HttpExchange, HttpRequest, McpTransport } from '../../../wire/index.ts'
import { initializeRequest } from '../../tools/support/initialize-request.ts'

/** An endpoint that requires a token: a method of a URL, inside or outside a session. */
export interface ProtectedEndpoint {
  /** "POST /mcp", "GET /mcp in a session", "GET /sse" or "POST to the message endpoint". */
  readonly name: string
  readonly transport: Exclude<McpTransport, 'stdio'>
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Whether the request belongs to a session that a valid token opened. */
  readonly inSession: boolean
  /**
   * Whether the request repeats that of another endpoint with a different message, or with a slash
   * added to or removed from the path.
   */
  readonly isFurther: boolean
  /** Returns a request with the given Authorization header, or without that header. */
  request(authorization?: string): HttpRequest
}

/** A session over streamable HTTP that a valid token opened. */
export interface HttpSession {
  id: string | undefined
  protocolVersion: string | undefined
}

const listRequest = { jsonrpc: '2.0', id: 'touchstone', method: 'tools/list', params: {} }
/** Other messages to the endpoint of streamable HTTP. None of them changes the server. */
const furtherMessages: Readonly<Record<string, unknown>> = {
  'tools/list': listRequest,
  ping: { jsonrpc: '2.0', id: 'touchstone', method: 'ping' },
  'tools/call': {
    jsonrpc: '2.0',
    id: 'touchstone',
    method: 'tools/call',
    params: { name: 'touchstone_missing_tool', arguments: {} },
  },
  'a notification': { jsonrpc: '2.0', method: 'notifications/initialized' },
  'a batch': [listRequest],
}
const acceptBoth = 'application/json, text/event-stream'

/**
 * Adds an Authorization header to a request. Does not read the body of a success, because a stream
 * does not end.
 */
function withAuthorization(
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

/**
 * The endpoints of streamable HTTP: outside a session and, if the server has sessions, inside one.
 */
export function httpEndpoints(url: string, session: HttpSession | undefined): ProtectedEndpoint[] {
  const path = new URL(url).pathname
  const newEndpoint = (
    method: ProtectedEndpoint['method'],
    name: string,
    inSession: boolean,
    { url: ownUrl = url, ...parts }: Partial<Omit<HttpRequest, 'operation' | 'method'>>,
    isFurther = false,
  ): ProtectedEndpoint => ({
    name,
    transport: 'http',
    method,
    inSession,
    isFurther,
    request: (authorization) => withAuthorization({ method, url: ownUrl, ...parts }, authorization),
  })
  const postEach = (
    suffix: string,
    inSession: boolean,
    headers: Readonly<Record<string, string>>,
  ): ProtectedEndpoint[] =>
    Object.entries(inSession ? { ...furtherMessages, 'tools/list': undefined } : furtherMessages)
      .filter(([, value]) => value !== undefined)
      .map(([message, value]) =>
        newEndpoint(
          'POST',
          `POST ${path}${suffix} (${message})`,
          inSession,
          { headers: { Accept: acceptBoth, ...headers }, body: { kind: 'json', value } },
          true,
        ),
      )
  const withSlash = new URL(url)
  withSlash.pathname = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const outside = [
    newEndpoint('POST', `POST ${path}`, false, {
      headers: { Accept: acceptBoth },
      body: { kind: 'json', value: initializeRequest },
    }),
    newEndpoint('GET', `GET ${path}`, false, { headers: { Accept: 'text/event-stream' } }),
    newEndpoint('DELETE', `DELETE ${path}`, false, {}),
    ...postEach('', false, {}),
    newEndpoint(
      'POST',
      `POST ${withSlash.pathname}`,
      false,
      {
        url: withSlash.href,
        headers: { Accept: acceptBoth },
        body: { kind: 'json', value: initializeRequest },
      },
      true,
    ),
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
    newEndpoint('POST', `POST ${path} in a session`, true, {
      headers: { Accept: acceptBoth, ...headers },
      body: { kind: 'json', value: listRequest },
    }),
    newEndpoint('GET', `GET ${path} in a session`, true, {
      headers: { Accept: 'text/event-stream', ...headers },
    }),
    ...postEach(' in a session', true, headers),
    // DELETE is the last endpoint, because it ends the session if the token is valid.
    newEndpoint('DELETE', `DELETE ${path} in a session`, true, { headers }),
  ]
}

/** The endpoint of the session that a request has opened; undefined if it has opened none. */
export function endpointInSession(exchange: HttpExchange): ProtectedEndpoint | undefined {
  const id = exchange.header('mcp-session-id')
  return id === undefined
    ? undefined
    : httpEndpoints(exchange.request.url, { id, protocolVersion: undefined }).find(
        ({ inSession, method }) => inSession && method === 'POST',
      )
}

/** The endpoints of HTTP+SSE: the stream, and the message endpoint that a stream announced. */
export function sseEndpoints(url: string, endpoint: string | undefined): ProtectedEndpoint[] {
  const stream: ProtectedEndpoint = {
    name: `GET ${new URL(url).pathname}`,
    transport: 'sse',
    method: 'GET',
    inSession: false,
    isFurther: false,
    request: (authorization) =>
      withAuthorization(
        { method: 'GET', url, headers: { Accept: 'text/event-stream' } },
        authorization,
      ),
  }
  if (endpoint === undefined || !URL.canParse(endpoint, url)) return [stream]
  const messageUrl = new URL(endpoint, url).href
  return [
    stream,
    {
      name: 'POST to the message endpoint',
      transport: 'sse',
      method: 'POST',
      inSession: true,
      isFurther: false,
      request: (authorization) =>
        withAuthorization(
          { method: 'POST', url: messageUrl, body: { kind: 'json', value: listRequest } },
          authorization,
        ),
    },
  ]
}

/** Whether the status is 2xx. */
export const isServed = ({ status = 0 }: HttpExchange): boolean => status >= 200 && status < 300
