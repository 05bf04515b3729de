import { isObject } from '../../engine/index.ts'
import type { HttpClient, HttpExchange } from '../../wire/index.ts'
import { openSession } from './support/preflight-session.ts'

/**
 * Returns the key of the target file for the transport of the MCP server at a URL; undefined if it
 * is not an MCP server. Recognizes a server that requires a token by the URL of its metadata
 * (RFC 9728 §5.1), or by the usual path, /mcp or /sse.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 */
export async function recognizeTools(
  url: string,
  client: HttpClient,
): Promise<'tools.http' | 'tools.sse' | undefined> {
  const isSsePath = /\/sse\/?$/.test(new URL(url).pathname)
  const response = await openSession(url, client)
  if (isMcpResponse(response)) return 'tools.http'
  if (requiresMcpToken(response)) return isSsePath ? 'tools.sse' : 'tools.http'
  const stream = await client.send({
    operation: 'resource',
    method: 'GET',
    url,
    headers: { Accept: 'text/event-stream' },
    readBody: 'of refusals',
  })
  return isEventStream(stream) || requiresMcpToken(stream) ? 'tools.sse' : undefined
}

/**
 * Whether a response to `initialize` shows streamable HTTP: an event stream, or JSON-RPC. JSON-RPC
 * with status 404 or 405 does not count, because a server with only the older transport may refuse
 * POST in this way.
 */
const isMcpResponse = (exchange: HttpExchange) =>
  isEventStream(exchange) ||
  (exchange.status !== 404 &&
    exchange.status !== 405 &&
    isObject(exchange.json) &&
    exchange.json['jsonrpc'] === '2.0')

const isEventStream = (exchange: HttpExchange) =>
  exchange.status === 200 && /^text\/event-stream\b/i.test(exchange.header('content-type') ?? '')

const requiresMcpToken = (exchange: HttpExchange) =>
  exchange.status === 401 &&
  (/\bresource_metadata\s*=/i.test(exchange.header('www-authenticate') ?? '') ||
    /\/(mcp|sse)\/?$/.test(new URL(exchange.request.url).pathname))
