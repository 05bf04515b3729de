// Reads the body of a call and makes a hook configuration of its fields.
import { on, run } from './registry.mjs'
import { FLAGS } from './store.mjs'

export class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

export async function readBody(req) {
  const parts = []
  let size = 0
  for await (const part of req) {
    size += part.length
    if (size > 1_000_000) throw new Refusal(413, 'the body is too large', { Connection: 'close' })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The fields of a body: { kind, fields }. */
export function fieldsOf(req, url, buffer) {
  const full = req.headers['content-type'] || ''
  const type = full.split(';')[0].trim().toLowerCase()
  const query = on('fields-also-in-the-query') ? Object.fromEntries(url.searchParams) : {}
  delete query.private_token
  if (buffer.length === 0) return { kind: 'form', fields: query }
  if (type === 'application/json') {
    if (on('json-with-charset-refused') && full.includes(';'))
      throw new Refusal(415, 'unsupported type')
    const fields = jsonOf(buffer)
    return { kind: 'json', fields: { ...query, ...fields } }
  }
  if (type === 'application/x-www-form-urlencoded') {
    return { kind: 'form', fields: { ...query, ...formOf(buffer) } }
  }
  if (type === 'multipart/form-data' && on('multipart-accepted')) {
    return { kind: 'form', fields: { ...query, ...multipartOf(full, buffer) } }
  }
  if (on('body-type-guessed')) {
    const text = buffer.toString('utf8').trimStart()
    if (text.startsWith('{')) return { kind: 'json', fields: jsonOf(buffer) }
    return { kind: 'form', fields: formOf(buffer) }
  }
  throw new Refusal(415, 'the body is neither JSON nor a form')
}

function jsonOf(buffer) {
  let fields
  try {
    fields = JSON.parse(buffer.toString('utf8'))
  } catch {
    throw new Refusal(400, 'the body is not JSON')
  }
  if (!fields || typeof fields !== 'object' || Array.isArray(fields)) {
    throw new Refusal(400, 'the body is not a JSON object')
  }
  return fields
}

function formOf(buffer) {
  let text = buffer.toString('utf8')
  if (on('form-plus-kept')) text = text.replaceAll('+', '%2B')
  return Object.fromEntries(new URLSearchParams(text))
}

function multipartOf(type, buffer) {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  const fields = {}
  if (!boundary) throw new Refusal(400, 'no boundary')
  for (const part of buffer.toString('utf8').split(`--${boundary}`)) {
    const found = /name="([^"]*)"[^]*?\r\n\r\n([^]*)\r\n$/.exec(part)
    if (found) [, , fields[found[1]]] = found
  }
  return fields
}

function flagOf(name, value, kind) {
  if (value === true || value === false) return value
  if (kind === 'json' && on('json-flags-must-be-booleans'))
    throw new Refusal(400, `${name} is invalid`)
  if (value === 'true' || value === '1' || value === 1) return true
  if (value === 'false' || value === '0' || value === 0) return false
  throw new Refusal(400, `${name} is invalid`)
}

const bad = (message) => new Refusal(on('invalid-fields-422') ? 422 : 400, message)

/** The configuration that the fields ask for, over the old one when there is one. */
export function configOf({ kind, fields }, project, old) {
  if (on('unknown-fields-refused')) {
    const known = [...FLAGS, 'url', 'token', 'enable_ssl_verification']
    const odd = Object.keys(fields).find((name) => !known.includes(name))
    if (odd) throw bad(`${odd} is unknown`)
  }
  const config = old
    ? { ...old }
    : { url: null, token: null, push_events: true, enable_ssl_verification: true }
  for (const flag of FLAGS) {
    if (!old && flag !== 'push_events') config[flag] = on('other-flags-default-true')
  }
  for (const name of [...FLAGS, 'enable_ssl_verification']) {
    if (fields[name] === null && on('null-flags-refused')) throw bad(`${name} is null`)
    if (fields[name] !== undefined && fields[name] !== null)
      config[name] = flagOf(name, fields[name], kind)
  }
  if (fields.url !== undefined) config.url = fields.url
  if (fields.token !== undefined) config.token = fields.token
  checkUrl(config, fields)
  checkToken(config)
  return run('config', config, { kind, fields, project, old })
}

function checkUrl(config) {
  const missing = config.url === null || config.url === undefined
  if (missing && on('missing-url-accepted')) config.url = 'http://127.0.0.1:9/'
  if (config.url === '' && on('empty-url-accepted')) config.url = 'http://127.0.0.1:9/'
  if (missing && config.url === null) throw bad('url is missing')
  if (typeof config.url !== 'string' || config.url === '') throw bad('url is invalid')
  if (!/^https?:\/\//i.test(config.url) || !URL.canParse(config.url)) throw bad('url is invalid')
}

function checkToken(config) {
  if (config.token === null || config.token === undefined) return
  if (typeof config.token === 'number') config.token = String(config.token)
  if (typeof config.token !== 'string') throw bad('token is invalid')
  if (/[\u0000-\u001f\u007f]/.test(config.token)) throw bad('token has control characters')
  if (on('non-ascii-token-refused') && /[^ -~]/.test(config.token)) throw bad('token is not ASCII')
  if (config.token === '') config.token = null
}
