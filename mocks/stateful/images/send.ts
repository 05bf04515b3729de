import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from './call.ts'
import type { Choices } from './choices.ts'

/** What of a body may stay unread without giving the connection up for it. */
const worthReading = 64 * 1024
/** For how long a connection that is given up still swallows what its client sends. */
const lingerMs = 500

/** Writes a reply in the form that was chosen. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply, choices: Choices): void {
  const bytes = reply.raw === undefined && reply.body instanceof Uint8Array ? reply.body : undefined
  const payload = bytes ?? reply.raw ?? JSON.stringify(shaped(reply.body, choices), null, choices.prettyJson ? 2 : 0) ?? ''
  const headers: Record<string, string | number> = {}
  if (bytes === undefined) headers['Content-Type'] = choices.contentTypeCharset ? 'application/json; charset=utf-8' : 'application/json'
  if (!choices.chunked) headers['Content-Length'] = bytes === undefined ? Buffer.byteLength(payload as string) : bytes.length
  if (reply.headers !== undefined) merge(headers, reply.headers)
  if (!choices.keepAlive) headers['Connection'] = 'close'
  if (!request.complete) leaveUnread(request, headers)
  response.writeHead(reply.status, choices.headerCase === 'canonical' ? headers : recased(headers, choices.headerCase))
  if (!choices.chunked || request.method === 'HEAD') {
    response.end(payload)
    return
  }
  const whole = typeof payload === 'string' ? Buffer.from(payload) : payload
  const half = whole.length >> 1
  if (half > 0) response.write(whole.subarray(0, half))
  setImmediate(() => response.end(whole.subarray(half)))
}

/**
 * A body that nobody wants to the end. A short one is skipped. For a long one the connection is closed, but gently:
 * destroyed at once, it would be reset, and the client could lose the answer that explains why.
 */
function leaveUnread(request: IncomingMessage, headers: Record<string, string | number>): void {
  request.resume()
  const length = request.headers['content-length']
  if (length === undefined ? request.headers['transfer-encoding'] === undefined : Number(length) <= worthReading) return
  headers['Connection'] = 'close'
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}

/** A given header replaces one of the same name in any case; an empty one removes it. */
function merge(headers: Record<string, string | number>, given: Record<string, string>): void {
  for (const [name, value] of Object.entries(given)) {
    for (const known of Object.keys(headers)) if (known.toLowerCase() === name.toLowerCase()) delete headers[known]
    if (value !== '') headers[name] = value
  }
}

function recased(headers: Record<string, string | number>, to: 'lower' | 'upper'): Record<string, string | number> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [to === 'lower' ? name.toLowerCase() : name.toUpperCase(), value]))
}

function shaped(body: unknown, choices: Choices): unknown {
  return choices.extraFields || choices.keyOrder === 'reversed' ? reshaped(body, choices, '') : body
}

function reshaped(value: unknown, choices: Choices, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reshaped(item, choices, ''))
  if (typeof value !== 'object' || value === null) return value
  // The caller's metadata is the caller's, and the keys of a map of variants are ids: neither gets a field of ours.
  if (name === 'metadata') return value
  const entries = Object.entries(value).map(([key, item]) => [key, reshaped(item, choices, name === 'variants' ? '' : key)] as const)
  if (choices.extraFields && name !== 'variants') entries.push(['x_extra', { note: 'not in the document', count: 1 }])
  return Object.fromEntries(choices.keyOrder === 'reversed' ? entries.reverse() : entries)
}
