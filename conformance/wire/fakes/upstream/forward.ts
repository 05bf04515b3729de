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

/** The number of bytes of a response with status 201 that `forward` keeps. */
const maxKeptBytes = 16 * 1024

/**
 * Forwards a request to the same path below the real upstream, and the response to the client.
 * Responds with 502 if the real upstream does not respond. Calls `onCreated` with the first 16 KiB
 * of the body of a response with status 201.
 */
export function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  upstream: string,
  onCreated: (body: string) => void,
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
      if (incoming.statusCode === 201) keepBody(incoming, onCreated)
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

/** Calls `onEnd` with the first bytes of a body, before the client receives its last ones. */
function keepBody(incoming: IncomingMessage, onEnd: (body: string) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  incoming.on('data', (chunk: Buffer) => {
    if (size < maxKeptBytes) chunks.push(chunk)
    size += chunk.length
  })
  incoming.on('end', () => onEnd(Buffer.concat(chunks).toString('utf8')))
}
