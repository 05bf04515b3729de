import type { IncomingMessage } from 'node:http'
import { Refusal } from './respond.ts'
import { flagNames, type Flag, type Hook, type Obj } from './types.ts'

type On = (name: string) => boolean
export type Fields = Pick<Hook, 'url' | 'token' | 'flags' | 'ssl' | 'saidPush'>

const known = new Set<string>([...flagNames, 'url', 'token', 'enable_ssl_verification', 'id'])

export function parseFields(req: IncomingMessage, raw: Buffer, on: On): Obj {
  const type = String(req.headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase()
  const form = type === 'application/x-www-form-urlencoded'
  if (on('json-only') && raw.length > 0 && type !== 'application/json') {
    throw new Refusal(415, '415 Unsupported Media Type')
  }
  if (form) {
    const out: Obj = {}
    for (const [k, v] of new URLSearchParams(raw.toString())) {
      const flag = k !== 'url' && k !== 'token'
      out[k] = flag && /^(true|1)$/.test(v) ? true : flag && /^(false|0)$/.test(v) ? false : v
    }
    return out
  }
  if (raw.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(raw.toString())
  } catch {
    throw new Refusal(400, '400 Bad request - the body is not JSON')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Refusal(400, '400 Bad request - the body is not an object')
  }
  return value as Obj
}

function urlOf(body: Obj, on: On): string {
  let { url } = body
  if (on('url-missing-ok') && url === undefined) return 'http://127.0.0.1:9/'
  if (on('url-number-ok') && typeof url === 'number') return 'http://127.0.0.1:9/' + url
  if (url === undefined || url === null) throw new Refusal(400, 'url is missing')
  if (typeof url !== 'string') throw new Refusal(400, 'url is invalid')
  url = url.trim()
  if (on('url-length-limit') && url.length > 255) throw new Refusal(400, 'url is too long')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new Refusal(400, 'url is invalid')
  return url
}

function flagOf(body: Obj, name: string, fallback: boolean, on: On): boolean {
  const value = body[name]
  if (value === undefined) return fallback
  if (value === null && !on('null-flags-refused')) return fallback
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (on('booleans-as-strings') && /^(true|false)$/.test(value)) return value === 'true'
    if (on('flag-word-ok')) return true
  }
  throw new Refusal(400, `${name} is invalid`)
}

/** Keeps what outlives one creation: the sticky default of a broken switch. */
export class FieldReader {
  private sticky = true

  readonly on: On
  constructor(on: On) {
    this.on = on
  }

  read(body: Obj): Fields {
    const { on } = this
    if (on('unknown-fields-refused')) {
      const odd = Object.keys(body).find((k) => !known.has(k))
      if (odd) throw new Refusal(400, `${odd} is unknown`)
    }
    const url = urlOf(body, on)
    const { token } = body
    if (token !== undefined && token !== null && typeof token !== 'string') {
      throw new Refusal(400, 'token is invalid')
    }
    if (typeof token === 'string' && /[^\x20-\x7e]/.test(token)) {
      throw new Refusal(400, 'token has characters that no header may carry')
    }
    const flags = {} as Record<Flag, boolean>
    for (const f of flagNames) flags[f] = flagOf(body, f, this.usual(f, body), on)
    if (typeof body['push_events'] === 'boolean') this.sticky = body['push_events']
    const unverified = on('ssl-default-false') || (on('ssl-default-off-with-token') && !!token)
    let ssl = flagOf(body, 'enable_ssl_verification', !unverified, on)
    if (on('ssl-true-ignored') && body['enable_ssl_verification'] === true) ssl = false
    return { url, token: token || null, flags, ssl, saidPush: 'push_events' in body }
  }

  private usual(f: Flag, body: Obj): boolean {
    const { on } = this
    if (f !== 'push_events') {
      return (
        on('all-flags-default-true') ||
        (on('some-flags-default-true') &&
          ['tag_push_events', 'issues_events', 'merge_requests_events'].includes(f))
      )
    }
    if (on('push-default-false')) return false
    if (on('push-default-only-alone')) return !flagNames.some((x) => body[x] === true)
    return on('push-default-sticky') ? this.sticky : true
  }
}
