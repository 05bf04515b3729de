import type { IncomingMessage, ServerResponse } from 'node:http'

/** The web pages that may use a server: those of every origin, or those of the listed origins. */
export type AllowedOrigins = '*' | readonly string[]

/** How long a browser may keep the answer to a preflight request, in seconds. */
const preflightSeconds = 600

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/**
 * Sets the CORS headers that let web pages of the allowed origins read the response. Answers a
 * preflight request itself, and then returns true.
 */
export function applyCors(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: AllowedOrigins,
): boolean {
  const { origin } = request.headers
  if (allowed !== '*') response.setHeader('Vary', 'Origin')
  const answer =
    allowed === '*' ? '*' : origin !== undefined && allowed.includes(origin) ? origin : undefined
  if (answer === undefined) return false
  response.setHeader('Access-Control-Allow-Origin', answer)
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders)
  if (!isPreflight(request)) return false
  const requested = request.headers['access-control-request-headers']
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      ...(requested === undefined ? {} : { 'Access-Control-Allow-Headers': requested }),
      'Access-Control-Max-Age': preflightSeconds,
    })
    .end()
  return true
}

/** Whether a request comes from a page that may use the server, or from no page. */
export const isAllowedPage = (
  { headers: { origin } }: IncomingMessage,
  allowed: AllowedOrigins | undefined,
): boolean => origin === undefined || allowed === '*' || allowed?.includes(origin) === true

// Clients of tool servers need these headers. Some browsers do not understand `*` here.
const exposedHeaders = ['*', 'Location', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate'].join(
  ', ',
)

/** Whether a browser asks if a page of another origin may send a request. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined
