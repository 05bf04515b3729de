import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * Closes the connection after a response that refuses a request with a body. Some servers send such
 * a response before they read the body, and then read the body as the next request (RFC 9112 §9.3).
 * Then the next check on that connection would fail although its request is correct.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.3
 */
export function closeIfBodyMayBeUnread(
  request: ClientRequest,
  { statusCode = 0 }: IncomingMessage,
  body: Uint8Array | undefined,
): void {
  if (statusCode >= 400 && body !== undefined && body.length > 0) request.shouldKeepAlive = false
}
