// The wire: reading bodies, answering with the envelope, and the one error type that every handler throws.
export const MAX_FILE = 262144
const BUFFER_CAP = 8 * 1024 * 1024 // beyond this a body is read and thrown away, so that the client still gets its 413
const IDLE_MS = 20000

/** A refusal: HTTP status, message and the code of the error object. */
export class Fail extends Error {
  constructor(status, message, code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const CODES = {
  400: 5400,
  401: 10000,
  403: 5403,
  404: 5404,
  413: 5413,
  429: 5429,
  500: 5500,
  502: 5502,
}

export function sendJson(s, res, status, body, headers = {}) {
  if (res.headersSent || res.destroyed) return
  const text = s.on('pretty-printed-json')
    ? JSON.stringify(body, null, 2) + '\n'
    : JSON.stringify(body)
  const type = s.on('json-charset-parameter')
    ? 'application/json; charset=utf-8'
    : 'application/json'
  const extra = s.on('request-id-header') ? { 'x-request-id': s.newId() } : {}
  if (s.on('no-store-on-answers')) extra['cache-control'] = 'no-store'
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    ...extra,
    ...headers,
  })
  res.end(text)
}

export function sendSuccess(s, res, result, meta) {
  const body = { success: true, result }
  if (s.on('errors-array-on-success')) body.errors = []
  if (s.on('messages-array')) body.messages = []
  if (meta.op === 'image-delete' && s.on('image-delete-without-result')) delete body.result
  if (meta.op === 'variant-delete' && s.on('variant-delete-result-text')) body.result = 'deleted'
  if (meta.op === 'list' && result.images.length === 0 && s.on('empty-page-success-false'))
    body.success = false
  let status = 200
  if (meta.op === 'variant-create' && s.on('variant-create-201')) status = 201
  if (meta.op === 'upload' && meta.custom && s.on('custom-id-upload-201')) status = 201
  if (meta.op === 'variant-delete' && s.on('variant-delete-204'))
    return void res.writeHead(204).end()
  if (meta.op === 'upload' && meta.door === 'batch' && s.on('batch-upload-bare-image'))
    return sendJson(s, res, status, result)
  if (meta.op === 'list' && meta.door === 'batch' && s.on('batch-list-bare-array'))
    body.result = result.images
  const headers =
    meta.op === 'complete' && s.on('upload-host-allows-any-origin')
      ? { 'access-control-allow-origin': '*' }
      : {}
  sendJson(s, res, status, body, headers)
}

export function sendFail(s, res, err, meta) {
  let fail = err
  if (!(fail instanceof Fail)) fail = new Fail(500, 'internal error')
  let { status } = fail
  if (status === 404 && meta.op?.startsWith('variant-') && s.on('unknown-variant-400')) status = 400
  if (status === 404 && meta.op === 'image-delete' && s.on('unknown-image-delete-500')) status = 500
  if (status === 413 && meta.door === 'upload' && s.on('upload-too-large-400')) status = 400
  if (status === 403 && fail.limited && s.on('missing-permission-401')) status = 401
  if (status === 400 && meta.op === 'config' && s.on('config-error-200')) status = 200
  const error = { code: fail.code ?? CODES[status] ?? 5400, message: fail.message }
  if (s.on('one-code-for-all-errors') && fail.code === undefined) error.code = 5400
  if (status === 404 && s.on('not-found-code-text')) error.code = String(error.code)
  if (status === 404 && meta.op?.startsWith('variant-') && s.on('variant-error-without-message'))
    delete error.message
  const body = { success: false, errors: [error] }
  if (s.on('result-null-on-failure')) body.result = null
  if (s.on('messages-array')) body.messages = []
  if (s.on('error-documentation-link'))
    error.documentation_url = 'https://docs.example/images/errors'
  if (status === 413 && s.on('too-large-errors-object')) body.errors = error
  if (status === 401 && meta.door === 'batch' && s.on('batch-401-without-errors'))
    delete body.errors
  if (status === 403 && s.on('forbidden-success-true')) body.success = true
  const headers = status === 401 ? { 'www-authenticate': 'Bearer realm="images"' } : {}
  if (fail.close || (status === 413 && s.on('too-large-closes-connection')))
    headers.connection = 'close'
  const plain =
    (fail.noRoute && s.on('unknown-path-plain-text')) || (fail.badJson && s.on('bad-json-html'))
  if (plain)
    return void res.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${status}</h1>`)
  sendJson(s, res, status, body, headers)
}

/** Reads a whole body; a stalled client is refused as an upload timeout. */
export function readBody(req) {
  return new Promise((resolve, reject) => {
    const parts = []
    let size = 0
    let timer
    const stall = () => {
      const fail = new Fail(400, 'upload timeout', 5408)
      fail.close = true
      reject(fail)
    }
    const arm = () => {
      clearTimeout(timer)
      timer = setTimeout(stall, IDLE_MS)
      timer.unref()
    }
    arm()
    req.on('data', (part) => {
      arm()
      size += part.length
      if (size <= BUFFER_CAP) parts.push(part)
      else parts.length = 0
    })
    req.on('end', () => {
      clearTimeout(timer)
      if (size > BUFFER_CAP) reject(new Fail(413, 'file too large'))
      else resolve(Buffer.concat(parts))
    })
    const gone = () => {
      clearTimeout(timer)
      reject(new Fail(400, 'request ended early'))
    }
    req.on('error', gone)
    req.on('aborted', gone)
  })
}

/** Reads a JSON object. */
export async function readJson(s, req, { emptyIsObject = false, known }) {
  const raw = await readBody(req)
  if (raw.length === 0 && emptyIsObject && !s.on('empty-ticket-body-refused')) return {}
  const type = (req.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase()
  if (s.on('json-content-type-required') && type !== 'application/json')
    throw new Fail(400, 'the body must be application/json')
  let body
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    const fail = new Fail(s.on('bad-json-500') ? 500 : 400, 'the body is not JSON')
    fail.badJson = true
    throw fail
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new Fail(400, 'the body must be a JSON object')
  if (s.on('null-fields-are-absent'))
    for (const key of Object.keys(body)) if (body[key] === null) delete body[key]
  if (s.on('unknown-fields-refused')) {
    for (const key of Object.keys(body))
      if (!known.includes(key)) throw new Fail(400, `unknown field ${key}`)
  }
  return body
}
