import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

type On = (name: string) => boolean

/** Ends an operation with an error answer. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

export function respond(
  req: IncomingMessage,
  res: ServerResponse,
  on: On,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  for (const [k, v] of Object.entries(headers)) res.setHeader(k, v)
  if (on('api-closes-connections')) res.setHeader('Connection', 'close')
  if (on('api-cors')) res.setHeader('Access-Control-Allow-Origin', '*')
  if (on('api-request-ids')) {
    res.setHeader('X-Request-Id', randomUUID())
    res.setHeader('Strict-Transport-Security', 'max-age=63072000')
    res.setHeader('Vary', 'Origin')
  }
  if (on('rate-limit-headers')) {
    res.setHeader('RateLimit-Limit', '2000')
    res.setHeader('RateLimit-Remaining', '1999')
    res.setHeader('RateLimit-Reset', '60')
  }
  if (value === undefined || status === 204) {
    res.end()
    return
  }
  const text =
    typeof value === 'string'
      ? value
      : JSON.stringify(value, null, on('create-pretty-json') ? 2 : undefined)
  if (!res.hasHeader('Content-Type')) {
    res.setHeader('Content-Type', 'application/json' + (on('api-charset') ? '; charset=utf-8' : ''))
  }
  let body = Buffer.from(text)
  if (on('api-gzip') && /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''))) {
    body = gzipSync(body)
    res.setHeader('Content-Encoding', 'gzip')
  }
  res.setHeader('Content-Length', body.length)
  res.end(body)
}

export function refuse(req: IncomingMessage, res: ServerResponse, on: On, e: Refusal): void {
  const status = e.status === 400 && on('invalid-422') ? 422 : e.status
  const headers = { ...e.headers }
  let value: unknown = { message: e.message }
  if (on('errors-problem-json')) {
    headers['Content-Type'] = 'application/problem+json'
    value = { type: 'about:blank', title: e.message, status }
  } else if (on('errors-plain-text')) {
    headers['Content-Type'] = 'text/plain'
    value = e.message
  } else if (on('errors-html')) {
    headers['Content-Type'] = 'text/html; charset=utf-8'
    value = `<!doctype html><title>${status}</title><h1>${e.message}</h1>`
  } else if (on('errors-no-body')) value = undefined
  respond(req, res, on, status, value, headers)
}

export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of req) {
    size += (part as Buffer).length
    if (size > 1_000_000) throw new Refusal(413, '413 Payload Too Large')
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}
