// Small helpers around node:http: bodies, forms, cookies, replies and HTML pages.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export const random = (bytes = 32) => randomBytes(bytes).toString('base64url')
export const sha256 = (text) => createHash('sha256').update(text).digest()
/** Secrets are kept and looked up by digest, so that the store never holds a usable token. */
export const digest = (text) => sha256(text).toString('hex')
export const sameText = (a, b) => timingSafeEqual(sha256(String(a)), sha256(String(b)))

export async function readBody(req, limit = 1_000_000) {
  const chunks = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > limit) throw Object.assign(new Error('body too large'), { status: 413 })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const mediaType = (req) =>
  (req.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase()

/**
 * Request parameters of an OAuth endpoint. A parameter without a value counts as omitted
 * (OAuth 2.1, 3.1 and 3.2), so such parameters never get in, unless `keepEmpty` says so.
 */
export class Params {
  #lists = new Map()

  constructor(text, { keepEmpty = false } = {}) {
    for (const [name, value] of new URLSearchParams(text)) {
      if (value === '' && !keepEmpty) continue
      if (!this.#lists.has(name)) this.#lists.set(name, [])
      this.#lists.get(name).push(value)
    }
  }

  get(name) {
    return this.#lists.get(name)?.at(-1)
  }
  all(name) {
    return this.#lists.get(name) ?? []
  }
  names() {
    return [...this.#lists.keys()]
  }
  /** Names given more than once; `resource` may repeat (RFC 8707, 2). */
  repeated() {
    return this.names().filter((name) => name !== 'resource' && this.all(name).length > 1)
  }
}

export function cookies(req) {
  const jar = {}
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0) jar[part.slice(0, at).trim()] = part.slice(at + 1).trim()
  }
  return jar
}

// No Secure attribute: this server only ever listens on plain HTTP on the loopback interface.
export const setCookie = (name, value) => `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`

export function send(res, status, headers = {}, body = '') {
  if (res.headersSent) return
  const bytes = Buffer.from(body)
  res.writeHead(status, { 'Content-Length': bytes.length, ...headers })
  res.end(res.req?.method === 'HEAD' ? undefined : bytes)
}

export const sendJson = (res, status, value, headers = {}) =>
  send(res, status, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(value))

export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export const notAllowed = (res, allow) =>
  sendJson(
    res,
    405,
    { error: 'invalid_request', error_description: 'method not allowed' },
    { Allow: allow, ...noStore },
  )

export const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** Pages of the sign-in and the consent: never framed, never cached, no scripts. */
export function sendPage(ctx, res, status, title, body, headers = {}) {
  const frame = ctx.on('pages-framable')
    ? {}
    : {
        'X-Frame-Options': 'DENY',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      }
  const html =
    `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>` +
    `<body><h1>${escapeHtml(title)}</h1>${body}</body></html>\n`
  send(
    res,
    status,
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      ...noStore,
      ...frame,
      ...headers,
    },
    html,
  )
}
