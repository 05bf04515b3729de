// The climate service that the bank asks for a station's weather record.
import { on } from './switches.mjs'
import { ToolFailure, unexpected } from './failure.mjs'

// Read once: a server's configuration does not change under it.
const BASE = (process.env.UPSTREAM_URL ?? '').replace(/\/+$/, '')
const TIMEOUT_MS = on('upstream-timeout-10-seconds')
  ? 10_000
  : on('upstream-timeout-60-seconds')
    ? 60_000
    : 30_000
const cache = new Map()

async function ask(id, cancelled) {
  const late = AbortSignal.timeout(TIMEOUT_MS)
  const headers = { accept: 'application/json' }
  if (on('upstream-user-agent')) headers['user-agent'] = 'seedbank_mcp'
  const signal = AbortSignal.any([late, cancelled])
  const url = `${BASE}/stations/${encodeURIComponent(id)}`
  const redirect = on('upstream-redirects-followed') ? 'follow' : 'manual'
  // The timeout covers the body too: a server that stops in the middle is as late as a silent one.
  if (on('upstream-timeout-only-for-headers')) {
    const headLate = new AbortController()
    const timer = setTimeout(
      () => headLate.abort(new DOMException('late', 'TimeoutError')),
      TIMEOUT_MS,
    )
    const response = await fetch(url, {
      signal: AbortSignal.any([headLate.signal, cancelled]),
      redirect,
      headers,
    })
    clearTimeout(timer)
    return { status: response.status, body: await response.text(), ok: response.ok }
  }
  const response = await fetch(url, { signal, redirect, headers })
  return { status: response.status, body: await response.text(), ok: response.ok }
}

export async function station(id, cancelled) {
  if (on('upstream-failure-remembered') && cache.has(id)) throw cache.get(id)
  if (on('upstream-answer-cached-forever') && cache.has(id)) return cache.get(id)
  try {
    const value = await fresh(id, cancelled)
    if (on('upstream-answer-cached-forever')) cache.set(id, value)
    return value
  } catch (error) {
    if (on('upstream-failure-remembered')) cache.set(id, error)
    throw error
  }
}

async function fresh(id, cancelled) {
  if (!BASE) throw unexpected('ConfigurationError', 'no upstream address is set')
  let answer
  try {
    answer = await ask(id, cancelled)
    if (on('upstream-503-tried-twice') && answer.status === 503) answer = await ask(id, cancelled)
  } catch (error) {
    if (error.name === 'TimeoutError') {
      if (on('timeout-told-as-unexpected')) throw unexpected('TimeoutError', 'aborted')
      throw new ToolFailure(
        on('timeout-without-advice')
          ? 'Request timed out.'
          : 'Request timed out. Please try again.',
      )
    }
    if (on('refused-told-as-timeout')) throw new ToolFailure('Request timed out. Please try again.')
    throw unexpected(error.name, error.message)
  }
  if (!answer.ok && !(on('upstream-5xx-body-passed-on') && answer.status >= 500))
    throw failureFor(answer.status, id)
  let value
  try {
    value = JSON.parse(answer.body)
  } catch (error) {
    if (on('upstream-bad-json-passed-on')) return { body: answer.body }
    throw unexpected(error.name, error.message)
  }
  if (!value || typeof value !== 'object' || Array.isArray(value)) {
    if (on('upstream-null-passed-on')) return { body: value }
    throw unexpected('TypeError', 'the upstream answer is not an object')
  }
  return value
}

function failureFor(status, id) {
  const which = on('upstream-errors-name-the-station') ? ` (station ${id})` : ''
  const wording = on('upstream-errors-name-the-status') ? ` [${status}]` : ''
  const say = (text) => new ToolFailure(`${text}${which}${wording}`)
  if (status === 404)
    return say(
      on('upstream-404-without-advice')
        ? 'Not found.'
        : 'Resource not found. Please check that the identifier is correct.',
    )
  if (status === 403 && !on('upstream-403-as-other'))
    return say('Permission denied. You have no access to this resource.')
  if (status === 429 && !on('upstream-429-as-other')) {
    return say(
      on('upstream-429-without-advice')
        ? 'Rate limit exceeded.'
        : 'Rate limit exceeded. Please wait before retrying.',
    )
  }
  if (status === 401) {
    return say(
      on('upstream-401-as-permission')
        ? 'Permission denied. You have no access to this resource.'
        : 'Invalid API authentication. The server cannot sign in to the upstream service.',
    )
  }
  if (on('upstream-410-as-404') && status === 410)
    return say('Resource not found. Please check that the identifier is correct.')
  if (on('upstream-5xx-without-status') && status >= 500)
    return say('API request failed. The upstream service has a problem.')
  if (on('upstream-5xx-all-called-500') && status >= 500)
    return say('API request failed with status 500.')
  return say(`API request failed with status ${status}.`)
}
