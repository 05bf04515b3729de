import type { IncomingMessage, ServerResponse } from 'node:http'
import { note } from '../../serving/notes.ts'
import type { ReplyForm, HeaderCase, Reply } from './reply.ts'

/** An unread body of at most this many bytes is drained, to keep the connection open. */
const maxDrainedBytes = 64 * 1024
/** How long a connection is still read after the server has ended its own side, in milliseconds. */
const lingerMs = 500

/**
 * Names of response fields that contain data of callers. `ReplyForm` does not apply to such data.
 */
export interface CallerData {
  /** Fields whose values stay as they are. */
  values: readonly string[]
  /**
   * Fields whose values are objects with ids or names as keys. No extra field is added to these
   * objects.
   */
  maps: readonly string[]
}

/** Sends a reply with the JSON style and headers that `form` describes. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  form: ReplyForm,
  callerData?: CallerData,
): void {
  const { body, raw } = reply
  if (reply.body instanceof Uint8Array && reply.reason !== undefined)
    note(request, { reason: reply.reason })
  const headers: Record<string, string | number> = {}
  const bytes = raw === undefined && body instanceof Uint8Array ? body : undefined
  const json = body !== undefined && bytes === undefined
  const payload =
    bytes ??
    raw ??
    (json ? JSON.stringify(applyForm(body, form, callerData), null, form.prettyJson ? 2 : 0) : '')
  if (json)
    headers['Content-Type'] = form.contentTypeCharset
      ? 'application/json; charset=utf-8'
      : 'application/json'
  const hasBody = ![204, 304].includes(reply.status)
  const chunked = form.chunked && hasBody
  if (!chunked && hasBody)
    headers['Content-Length'] =
      typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  if (reply.headers !== undefined) mergeHeaders(headers, reply.headers)
  if (!form.keepAlive) headers['Connection'] = 'close'
  if (!request.complete) discardBody(request, headers)
  response.writeHead(reply.status, changeCase(headers, form.headerCase))
  if (!chunked || request.method === 'HEAD') {
    response.end(payload)
    return
  }
  const bytesToSend = typeof payload === 'string' ? Buffer.from(payload) : payload
  const half = bytesToSend.length >> 1
  if (half > 0) response.write(bytesToSend.subarray(0, half))
  setImmediate(() => response.end(bytesToSend.subarray(half)))
}

/**
 * Discards the rest of a request body. A short body is drained. For a long body, the connection is
 * closed after a delay. Destroying it at once would reset the connection, and the client could lose
 * the response.
 */
function discardBody(request: IncomingMessage, headers: Record<string, string | number>): void {
  request.resume()
  const length = request.headers['content-length']
  if (
    length === undefined
      ? request.headers['transfer-encoding'] === undefined
      : Number(length) <= maxDrainedBytes
  )
    return
  headers['Connection'] = 'close'
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}

/**
 * Adds or replaces headers. Header names are compared ignoring case. An empty value removes the
 * header.
 */
function mergeHeaders(
  headers: Record<string, string | number>,
  replacements: Record<string, string>,
): void {
  for (const [name, value] of Object.entries(replacements)) {
    for (const known of Object.keys(headers))
      if (known.toLowerCase() === name.toLowerCase()) delete headers[known]
    if (value !== '') headers[name] = value
  }
}

function changeCase(
  headers: Record<string, string | number>,
  headerCase: HeaderCase,
): Record<string, string | number> {
  if (headerCase === 'canonical') return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      headerCase === 'lower' ? name.toLowerCase() : name.toUpperCase(),
      value,
    ]),
  )
}

function applyForm(
  body: unknown,
  form: ReplyForm,
  callerData: CallerData = { values: [], maps: [] },
): unknown {
  return form.extraFields || form.keyOrder === 'reversed'
    ? reshape(body, form, callerData, '')
    : body
}

function reshape(value: unknown, form: ReplyForm, callerData: CallerData, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reshape(item, form, callerData, ''))
  if (typeof value !== 'object' || value === null || callerData.values.includes(name)) return value
  const isMap = callerData.maps.includes(name)
  const entries = Object.entries(value).map(
    ([key, item]) => [key, reshape(item, form, callerData, isMap ? '' : key)] as const,
  )
  if (form.extraFields && !isMap)
    entries.push(['x_extra', { note: 'not in the contract', count: 1 }])
  return Object.fromEntries(form.keyOrder === 'reversed' ? entries.reverse() : entries)
}
