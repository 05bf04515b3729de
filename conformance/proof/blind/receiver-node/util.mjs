// Small helpers that the receiver and its switches share.
import { createHash, timingSafeEqual } from 'node:crypto'

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms).unref())

const digest = (text) => createHash('sha256').update(text, 'latin1').digest()

export const same = (a, b) => timingSafeEqual(digest(a), digest(b)) && a === b

export const sha = (bytes) => createHash('sha256').update(bytes).digest('hex')

export const KINDS = {
  'Push Hook': 'push',
  'Tag Push Hook': 'tag_push',
  'Issue Hook': 'issue',
  'Merge Request Hook': 'merge_request',
  'Pipeline Hook': 'pipeline',
  'Job Hook': 'job',
  'Deployment Hook': 'deployment',
  'Wiki Page Hook': 'wiki_page',
  'Release Hook': 'release',
}

/** True when `test` holds for the value or for anything inside it; test gets (value, key). */
export function some(value, test, key = '') {
  if (test(value, key)) return true
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([k, v]) => some(v, test, k))
}

/** The values of a header, by its exact spelling in the request. */
export function exact(req, name) {
  const out = []
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i] === name) out.push(req.rawHeaders[i + 1])
  }
  return out
}

export function send(res, status, body = '', headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  const all = { ...(text && { 'Content-Type': type }), ...headers }
  if (status !== 204 && status !== 304) all['Content-Length'] = Buffer.byteLength(text)
  res.writeHead(status, all)
  res.end(status === 204 || status === 304 ? undefined : text)
}
