// What a JSON value is in JSON-RPC terms, and how answers are built.
import { on } from './switches.mjs'
import { RpcError, INTERNAL_ERROR } from './errors.mjs'

const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v)
const goodId = (id) => typeof id === 'string' || Number.isSafeInteger(id)

export function classify(m) {
  if (!isObject(m)) return 'invalid'
  if (
    m.jsonrpc !== '2.0' &&
    !(on('other-jsonrpc-versions-taken') && typeof m.jsonrpc === 'string') &&
    !(on('missing-jsonrpc-taken') && m.jsonrpc === undefined)
  )
    return 'invalid'
  if (Object.hasOwn(m, 'method')) {
    if (typeof m.method !== 'string') return 'invalid'
    if (
      Object.hasOwn(m, 'params') &&
      (m.params === null || typeof m.params !== 'object') &&
      !on('scalar-params-taken')
    )
      return 'invalid'
    if (!Object.hasOwn(m, 'id')) return 'notification'
    if (on('id-0-taken-as-notification') && m.id === 0) return 'notification'
    if (on('blank-id-taken-as-notification') && m.id === '') return 'notification'
    return goodId(m.id) ? 'request' : 'invalid'
  }
  if (Object.hasOwn(m, 'id') && (Object.hasOwn(m, 'result') || Object.hasOwn(m, 'error')))
    return 'response'
  return 'invalid'
}

export function answer(id, result) {
  const m = { jsonrpc: '2.0', id: echo(id), result }
  if (on('answers-without-jsonrpc')) delete m.jsonrpc
  if (on('answers-carry-null-error')) m.error = null
  return m
}

export function refusal(id, error) {
  const known = error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error')
  const m = {
    jsonrpc: '2.0',
    id: id === null ? null : echo(id),
    error: { code: known.code, message: known.message },
  }
  if (known.data !== undefined) m.error.data = known.data
  if (on('error-code-as-text')) m.error.code = String(known.code)
  if (on('error-message-missing')) delete m.error.message
  if (on('errors-carry-null-result')) m.result = null
  if (on('error-id-always-null')) m.id = null
  return m
}

function echo(id) {
  if (on('number-ids-answered-as-text') && typeof id === 'number') return String(id)
  if (on('digit-ids-answered-as-number') && typeof id === 'string' && /^\d+$/.test(id))
    return Number(id)
  if (on('negative-ids-answered-positive') && typeof id === 'number') return Math.abs(id)
  if (on('long-ids-cut') && typeof id === 'string') return id.slice(0, 64)
  return id
}

// The id to answer an unusable message with: the sender's own where it can be told.
export function idOfInvalid(m) {
  if (on('invalid-request-answered-with-null-id')) return null
  return isObject(m) && goodId(m.id) ? m.id : null
}
// 5 and "5" are two different requests.
export const idKey = (id) =>
  on('cancel-mixes-number-and-text-ids') ? String(id) : `${typeof id}:${id}`
