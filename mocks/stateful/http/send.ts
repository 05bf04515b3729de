import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReplyForm, HeaderCase, Reply } from './reply.ts'

/** What of a body may stay unread without giving the connection up for it. */
const worthReading = 64 * 1024
/** For how long a connection that is given up still swallows what its client sends. */
const lingerMs = 500

/** Members of answers, by name, that hold no objects of the server's own: these are not reshaped as others are. */
export interface Foreign {
  /** Their values stay as they are. */
  values: readonly string[]
  /** Their keys are somebody's names, so that nothing is added beside them. */
  maps: readonly string[]
}

/** Writes a reply in the form that was chosen. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  form: ReplyForm,
  foreign?: Foreign,
): void {
  const { body, raw } = reply
  const headers: Record<string, string | number> = {}
  const bytes = raw === undefined && body instanceof Uint8Array ? body : undefined
  const json = body !== undefined && bytes === undefined
  const payload =
    bytes ??
    raw ??
    (json ? JSON.stringify(shaped(body, form, foreign), null, form.prettyJson ? 2 : 0) : '')
  if (json)
    headers['Content-Type'] = form.contentTypeCharset
      ? 'application/json; charset=utf-8'
      : 'application/json'
  const chunked = form.chunked && reply.status !== 204
  if (!chunked && reply.status !== 204)
    headers['Content-Length'] =
      typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  if (reply.headers !== undefined) merge(headers, reply.headers)
  if (!form.keepAlive) headers['Connection'] = 'close'
  if (!request.complete) leaveUnread(request, headers)
  response.writeHead(reply.status, recased(headers, form.headerCase))
  if (!chunked || request.method === 'HEAD') {
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
  if (
    length === undefined
      ? request.headers['transfer-encoding'] === undefined
      : Number(length) <= worthReading
  )
    return
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
    for (const known of Object.keys(headers))
      if (known.toLowerCase() === name.toLowerCase()) delete headers[known]
    if (value !== '') headers[name] = value
  }
}

function recased(
  headers: Record<string, string | number>,
  to: HeaderCase,
): Record<string, string | number> {
  if (to === 'canonical') return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      to === 'lower' ? name.toLowerCase() : name.toUpperCase(),
      value,
    ]),
  )
}

function shaped(
  body: unknown,
  form: ReplyForm,
  foreign: Foreign = { values: [], maps: [] },
): unknown {
  return form.extraFields || form.keyOrder === 'reversed' ? reshaped(body, form, foreign, '') : body
}

function reshaped(value: unknown, form: ReplyForm, foreign: Foreign, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reshaped(item, form, foreign, ''))
  if (typeof value !== 'object' || value === null || foreign.values.includes(name)) return value
  const isMap = foreign.maps.includes(name)
  const entries = Object.entries(value).map(
    ([key, item]) => [key, reshaped(item, form, foreign, isMap ? '' : key)] as const,
  )
  if (form.extraFields && !isMap)
    entries.push(['x_extra', { note: 'not in the document', count: 1 }])
  return Object.fromEntries(form.keyOrder === 'reversed' ? entries.reverse() : entries)
}
