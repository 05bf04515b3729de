import type { HttpClient, HttpExchange } from '../../../wire/index.ts'
import { initializeRequest } from './initialize-request.ts'

/**
 * Opens and ends a session over streamable HTTP without an MCP client. Resolves to the response to
 * `initialize`. Does not read the body of an event stream, because it may never end.
 */
export async function openSession(
  url: string,
  client: HttpClient,
  token?: string,
): Promise<HttpExchange> {
  const credentials = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const exchange = await client.send({
    operation: 'resource',
    method: 'POST',
    url,
    headers: { ...credentials, Accept: 'application/json, text/event-stream' },
    body: { kind: 'json', value: initializeRequest },
    readBody: 'of refusals',
  })
  const session = exchange.header('mcp-session-id')
  if (session !== undefined)
    await client.send({
      operation: 'resource',
      method: 'DELETE',
      url,
      headers: { ...credentials, 'Mcp-Session-Id': session },
    })
  return exchange
}
