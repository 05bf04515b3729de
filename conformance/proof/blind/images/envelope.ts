// Turns an answer or a failure into the bytes of a response.
import { gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { Answer } from './call.ts'
import type { Op } from './doors.ts'
import { Fault, type World } from './world.ts'

type Body = Record<string, unknown>
export interface Sent {
  status: number
  headers: Record<string, string>
  body: Buffer | string
}

const german: Record<number, string> = {
  400: 'Ungültige Anfrage',
  401: 'Schlüssel ungültig',
  403: 'Zugriff nicht erlaubt – verboten',
  404: 'Nicht gefunden, tut uns leid – „404“',
  413: 'Datei zu groß',
  429: 'Zu häufige Anfragen',
}

const json = (w: World, body: unknown): string => {
  let text = w.on('pretty-json') ? JSON.stringify(body, null, 2) : JSON.stringify(body)
  if (w.on('ascii-json')) {
    text = text.replace(
      /[\u0080-\uffff]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  }
  return text
}

const isVariant = (op: Op | undefined): boolean => op?.startsWith('variant-') ?? false
const isUpload = (op: Op | undefined): boolean => op === 'upload' || op === 'batch-upload'

function succeeded(w: World, op: Op, answer: Answer): Sent {
  let body: Body = { success: true, result: answer.result ?? {} }
  if (w.on('errors-empty-on-success')) body['errors'] = []
  if (op === 'delete') {
    if (w.on('delete-204')) return { status: 204, headers: {}, body: '' }
    if (w.on('success-text-on-delete')) body['success'] = 'true'
    if (w.on('success-false-on-delete')) body['success'] = false
    if (w.on('no-result-on-delete')) delete body['result']
  }
  if (op === 'variant-delete') {
    if (w.on('variant-delete-204')) return { status: 204, headers: {}, body: '' }
    if (w.on('no-result-on-variant-delete')) delete body['result']
  }
  if (op === 'list' && w.on('success-number-on-list')) body['success'] = 1
  if (op === 'config') {
    if (w.on('success-false-on-config')) body['success'] = false
    if (w.on('no-result-on-config')) delete body['result']
  }
  if (op === 'upload' && w.on('result-text-on-upload')) {
    body['result'] = JSON.stringify(answer.result)
  }
  if (op === 'upload' && w.on('result-array-on-upload')) body['result'] = [answer.result]
  if (op !== 'complete' && w.on(`success-flag-missing-${op}`)) delete body['success']
  Object.assign(body, answer.extra)
  if (op === 'read' && w.on('result-unwrapped-on-read')) body = answer.result as Body
  if (op === 'variant-read' && w.on('result-unwrapped-on-variant-read')) {
    body = answer.result as Body
  }
  if (op === 'batch-list' && w.on('batch-no-envelope-list')) body = answer.result as Body
  return { status: answer.status, headers: answer.headers ?? {}, body: finish(w, body) }
}

function finish(w: World, body: Body): string {
  if (w.on('messages-array')) body['messages'] = []
  if (w.on('timing-in-envelope')) body['request_id'] = randomUUID()
  const entries = Object.entries(body)
  return json(w, w.on('reversed-members') ? Object.fromEntries(entries.reverse()) : body)
}

function statusOf(w: World, op: Op | undefined, fault: Fault): number {
  const { status } = fault
  if (status === 404 && op === 'read') {
    if (w.on('read-missing-200')) return 200
    if (w.on('read-missing-500')) return 500
  }
  if (status === 404 && op === 'delete' && w.on('delete-missing-500')) return 500
  if (status === 404 && op === 'variant-read' && w.on('variant-missing-200')) return 200
  if (status === 404 && op === 'variant-patch' && w.on('variant-patch-missing-500')) return 500
  if (status === 404 && op === 'variant-delete' && w.on('variant-delete-missing-500')) return 500
  if (status === 400 && op === 'upload' && w.on('bad-request-200')) return 200
  if (status === 413 && w.on('too-large-400')) return 400
  if (status === 413 && w.on('too-large-500')) return 500
  return status
}

function errorsOf(w: World, op: Op | undefined, fault: Fault): unknown {
  const { status } = fault
  const own = fault.code === 5454 || fault.code === 5408
  const error: Body = { code: fault.code, message: fault.message }
  if (w.on('one-code-for-all') && status < 500 && !own) error['code'] = 5400
  if (w.on('http-like-codes') && status !== 400) error['code'] = status
  if (w.on('translated-messages')) error['message'] = german[status] ?? 'Störung – bitte später'
  if (w.on('error-extra-fields')) {
    error['documentation_url'] = 'https://docs.example/errors'
    error['source'] = { pointer: '/' }
  }
  if (status === 400 && w.on('error-code-text')) error['code'] = String(fault.code)
  if (status === 404 && w.on('error-code-missing-on-404')) delete error['code']
  if (status === 401 && w.on('error-code-null-on-401')) error['code'] = null
  if (status === 413 && w.on('error-message-missing-on-413')) delete error['message']
  if (status === 400 && op === 'ticket' && w.on('error-message-list-on-400')) {
    error['message'] = [fault.message]
  }
  if (status === 401 && w.on('errors-object-on-401')) return error
  if (status === 404 && w.on('empty-errors-on-404')) return []
  if (status === 403 && w.on('no-errors-on-403')) return null
  if (status === 400 && isVariant(op) && w.on('errors-are-strings-on-variants')) {
    return [fault.message]
  }
  return w.on('two-errors') ? [error, { code: 5400, message: 'The request has failed' }] : [error]
}

function failed(w: World, op: Op | undefined, fault: Fault): Sent {
  const status = statusOf(w, op, fault)
  const headers = { ...fault.headers }
  const plain = (type: string, body: string): Sent => ({
    status,
    headers: { ...headers, 'content-type': type },
    body,
  })
  if (fault.status === 404 && (op === 'read' || op === 'delete') && w.on('plain-404')) {
    return plain('text/plain', 'image not found')
  }
  if (fault.status === 401 && w.on('plain-401')) return plain('text/plain', 'unauthorized')
  if (fault.status === 413 && w.on('html-413')) {
    return plain('text/html', '<html><h1>413 Request Entity Too Large</h1></html>')
  }
  if (fault.status === 403 && w.on('empty-403')) return plain('text/plain', '')
  if (op?.startsWith('batch-') && w.on('batch-no-envelope-error')) {
    return { status, headers, body: JSON.stringify({ error: fault.message }) }
  }
  const body: Body = { success: false, errors: errorsOf(w, op, fault) }
  if (w.on('result-null-on-failure')) body['result'] = null
  if (fault.status === 404 && w.on('success-true-on-404')) body['success'] = true
  if (fault.status === 400 && isUpload(op) && w.on('success-true-on-400-upload')) {
    body['success'] = true
  }
  if (fault.status === 401 && w.on('success-missing-on-401')) delete body['success']
  if (fault.status === 403 && w.on('success-null-on-403')) body['success'] = null
  if (fault.status === 400 && w.on('no-errors-on-400')) delete body['errors']
  return { status, headers, body: finish(w, body) }
}

export function compose(w: World, op: Op | undefined, outcome: Answer | Fault): Sent {
  let sent: Sent
  if (outcome instanceof Fault) sent = failed(w, op, outcome)
  else if (outcome.raw) {
    sent = {
      status: outcome.status,
      headers: { 'content-type': outcome.raw.type, ...outcome.headers },
      body: outcome.raw.body,
    }
  } else sent = succeeded(w, op as Op, outcome)
  if (sent.status !== 204 && sent.status !== 304) {
    const charset = w.on('json-charset') ? ';charset=UTF-8' : ''
    sent.headers = { 'content-type': `application/json${charset}`, ...sent.headers }
  }
  if (sent.status === 401 && !w.on('no-challenge')) {
    sent.headers['www-authenticate'] ??= w.on('challenge-with-error')
      ? 'Bearer realm="images", error="invalid_token"'
      : 'Bearer'
  }
  if (sent.status === 401 && w.on('no-challenge')) delete sent.headers['www-authenticate']
  return sent
}

export function send(
  w: World,
  request: IncomingMessage,
  response: ServerResponse,
  sent: Sent,
  api: boolean,
): void {
  const { headers } = sent
  let body = Buffer.from(sent.body)
  if (api && typeof sent.body === 'string' && sent.body) {
    if (w.on('json-latin1')) body = Buffer.from(sent.body, 'latin1')
    if (w.on('json-with-bom')) body = Buffer.from(`\ufeff${sent.body}`)
  }
  if (w.on('interim-102')) response.writeProcessing()
  if (api && w.on('rate-limit-headers')) {
    headers['ratelimit-limit'] = '1200'
    headers['ratelimit-remaining'] = '1100'
    headers['ratelimit-reset'] = '30'
  }
  if (api && w.on('no-store')) {
    headers['cache-control'] = 'no-store'
    headers['vary'] = 'Authorization, Accept-Encoding'
  }
  if (w.on('cors-headers')) {
    headers['access-control-allow-origin'] = '*'
    headers['access-control-allow-methods'] = 'GET, POST, PATCH, DELETE, OPTIONS'
    headers['access-control-allow-headers'] = 'authorization, content-type'
  }
  if (
    api &&
    w.on('gzip-json') &&
    body.length &&
    /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  ) {
    body = gzipSync(body)
    headers['content-encoding'] = 'gzip'
  }
  if (w.on('connection-close')) headers['connection'] = 'close'
  if (sent.status === 204 || sent.status === 304) {
    response.writeHead(sent.status, headers).end()
    return
  }
  if (!w.on('chunked-answers')) headers['content-length'] = String(body.length)
  response.writeHead(sent.status, headers)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  if (w.on('chunked-answers') && body.length > 1) {
    response.write(body.subarray(0, body.length >> 1))
    response.end(body.subarray(body.length >> 1))
  } else response.end(body)
}
