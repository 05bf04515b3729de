import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'

/**
 * Headers that are not forwarded: Host and Content-Length, which get new values, and the headers
 * that apply only to one connection (RFC 9110 §7.6.1).
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
 */
export const omittedHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
])

/**
 * Forwards a request to the same path below the real upstream, and the response to the client.
 * Responds with 502 if the real upstream does not respond.
 */
export function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  upstream: string,
): void {
  const { method = 'GET', url = '/', headers } = request
  const destination = new URL(upstream.replace(/\/+$/, '') + url)
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !omittedHeaders.has(name)),
  )
  const length = body.length === 0 ? {} : { 'content-length': body.length }
  const outgoing = (destination.protocol === 'https:' ? httpsRequest : httpRequest)(
    destination,
    { method, headers: { ...own, ...length }, agent: false },
    (incoming) => {
      for (const [name, value] of Object.entries(incoming.headers))
        if (
          value !== undefined &&
          !['connection', 'keep-alive', 'transfer-encoding'].includes(name)
        )
          response.setHeader(name, value)
      response.writeHead(incoming.statusCode ?? 502)
      incoming.on('error', () => response.destroy())
      incoming.pipe(response)
    },
  )
  outgoing.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else
      response
        .writeHead(502, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ message: `the real upstream: ${error.message}` }))
  })
  response.on('close', () => outgoing.destroy())
  outgoing.end(body)
}
