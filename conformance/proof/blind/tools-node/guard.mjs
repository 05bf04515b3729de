// What every HTTP door checks before anything else, and small helpers for answering.
import { on } from './switches.mjs'
import { SUPPORTED } from './lifecycle.mjs'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])
const MOST_BYTES = 8 * 1024 * 1024

export function sendJson(res, status, value, headers = {}) {
  const type =
    on('json-answers-sent-as-text') && status === 200
      ? 'text/plain'
      : on('json-answers-name-charset')
        ? 'application/json; charset=utf-8'
        : 'application/json'
  res.writeHead(status, { 'content-type': type, ...headers })
  res.end(JSON.stringify(value))
}

export function refuse(res, status, message, headers = {}, code = -32000) {
  if (on('http-refusals-in-plain-text')) {
    res.writeHead(status, { 'content-type': 'text/plain', ...headers })
    res.end(message)
    return
  }
  sendJson(res, status, { jsonrpc: '2.0', id: null, error: { code, message } }, headers)
}

// A page that some website put into the user's browser must not reach this server.
export function originAllowed(req, door) {
  const origin = req.headers.origin
  if (origin === undefined) return true
  if (on('origin-not-checked-on-get') && door === 'get') return true
  if (on('origin-not-checked-on-delete') && door === 'delete') return true
  if (on('origin-not-checked-on-sse') && door === 'sse') return true
  if (on('origin-not-checked-on-messages') && door === 'messages') return true
  if (on('origin-not-checked-with-session') && req.headers['mcp-session-id']) return true
  if (on('origin-null-taken') && origin === 'null') return true
  if (on('origin-found-by-substring') && /localhost|127\.0\.0\.1/.test(origin)) return true
  if (on('origin-found-by-prefix') && origin.startsWith('http://localhost')) return true
  try {
    return LOCAL.has(new URL(origin).hostname)
  } catch {
    return false
  }
}

export function guard(req, res, door) {
  if (!originAllowed(req, door)) {
    refuse(res, on('foreign-origin-refused-with-400') ? 400 : 403, 'Origin not allowed')
    return false
  }
  if (on('host-header-checked') && !LOCAL.has((req.headers.host ?? '').replace(/:\d+$/, ''))) {
    refuse(res, 403, 'Host not allowed')
    return false
  }
  if (on('cors-headers-sent') && req.headers.origin) {
    res.setHeader('access-control-allow-origin', req.headers.origin)
    res.setHeader('access-control-expose-headers', 'Mcp-Session-Id')
    res.setHeader('vary', 'Origin')
  }
  return true
}

export function versionFits(req, res, session) {
  const asked = req.headers['mcp-protocol-version']
  if (asked === undefined) {
    if (!on('version-header-required') || !session) return true
    refuse(res, 400, 'MCP-Protocol-Version is missing')
    return false
  }
  const known =
    SUPPORTED.includes(asked) && !(on('version-header-must-be-newest') && asked === '2025-03-26')
  const skipped =
    (on('version-header-not-checked') && req.method === 'POST') ||
    (on('version-header-not-checked-on-get') && req.method === 'GET') ||
    (on('version-header-not-checked-on-delete') && req.method === 'DELETE') ||
    (on('version-header-of-any-date-taken') && /^\d{4}-\d\d-\d\d$/.test(asked))
  if (!known && !skipped) {
    refuse(res, 400, `Unsupported protocol version: ${asked}`)
    return false
  }
  if (on('version-header-must-match-session') && session && asked !== session.version) {
    refuse(res, 400, 'Another revision was negotiated')
    return false
  }
  return true
}

export async function body(req) {
  const parts = []
  let bytes = 0
  for await (const part of req) {
    bytes += part.length
    if (bytes > MOST_BYTES) return null
    parts.push(part)
  }
  return on('utf8-read-in-pieces')
    ? parts.map((p) => p.toString()).join('')
    : Buffer.concat(parts).toString()
}

export const accepts = (req, type) =>
  (req.headers.accept ?? '').split(',').some((part) => {
    const [name, ...params] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    return (
      (name === type || name === '*/*' || name === `${type.split('/')[0]}/*`) &&
      !params.some((p) => /^q=0(\.0*)?$/.test(p))
    )
  })
