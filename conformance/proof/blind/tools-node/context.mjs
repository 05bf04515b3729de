// What a running request may do besides returning: progress, logs, asking the user.
import { on } from './switches.mjs'
import { ToolFailure } from './failure.mjs'
import { last } from './lifecycle.mjs'

export const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]
const ELICITATION_TIMEOUT_MS = 120_000
let lastToken

const isToken = (t) => typeof t === 'string' || Number.isSafeInteger(t)

// Progress tokens and logs belong to the request; they leave with it.
export function makeContext(session, message, channel, signal) {
  const finishers = []
  let token = Array.isArray(message.params) ? undefined : message.params?._meta?.progressToken
  if (message.method === 'tools/call') {
    if (on('progress-token-kept-from-last-call') && !isToken(token)) token = session.lastToken
    session.lastToken = token
    if (isToken(token)) lastToken = token
  }
  let done = false
  let before = 0
  const send = (m) => channel.send({ jsonrpc: '2.0', ...m })

  function progress(fraction, text) {
    let to = on('progress-token-of-latest-call') ? lastToken : token
    if (!isToken(to)) {
      if (!on('progress-sent-unasked')) return
      to = message.id
    }
    if (on('progress-token-as-text')) to = String(to)
    if (signal.aborted || (done && !on('progress-after-answer'))) return
    let value = fraction
    if (on('progress-goes-back') && fraction === 0.6) value = 0.4
    if (on('progress-says-same-twice') && fraction === 0.5) value = before
    if (on('progress-starts-over-at-half') && fraction > 0.5) value = fraction - 0.5
    before = value
    const params = { progressToken: to, progress: value }
    if (!on('progress-without-total')) params.total = 1
    if (on('progress-total-is-text')) params.total = '1'
    params.message = text
    if (on('progress-only-at-end') && fraction < 1) return
    send({ method: 'notifications/progress', params })
  }

  function log(level, data) {
    const wanted = LEVELS.indexOf(session.level)
    const have = LEVELS.indexOf(level)
    const passes = on('logs-only-of-exact-level')
      ? have === wanted
      : on('log-order-by-alphabet')
        ? level >= session.level
        : have >= wanted
    if (!passes && !(on('debug-logs-slip-through') && level === 'debug' && wanted < 3)) return
    const params = { level, logger: 'seedbank', data }
    if (on('logs-without-logger')) delete params.logger
    if (on('log-data-as-object')) params.data = { message: data }
    if (on('log-level-in-capitals')) params.level = level.toUpperCase()
    if (on('log-data-missing')) {
      params.message = data
      delete params.data
    }
    if (on('log-level-called-information') && level === 'info') params.level = 'information'
    ;(on('logs-on-every-session') ? others(session) : []).forEach((s) =>
      s.notify({ jsonrpc: '2.0', method: 'notifications/message', params }),
    )
    send({ method: 'notifications/message', params })
  }

  function nextId() {
    if (on('own-request-ids-repeat')) return 'seedbank-1'
    session.requestNumber += 1
    return on('own-request-ids-are-numbers')
      ? session.requestNumber
      : `seedbank-${session.requestNumber}`
  }

  function canAsk() {
    const capabilities = on('capabilities-of-latest-client')
      ? last.capabilities
      : session.capabilities
    if (session.version < '2025-06-18') return false
    const e = capabilities.elicitation
    if (!e || typeof e !== 'object') return false
    if (on('asks-form-of-url-only-client')) return true
    // A client that names only the url mode has no forms; naming nothing means forms.
    return 'form' in e || !('url' in e)
  }

  async function elicit(text, requestedSchema) {
    if (!canAsk() && !on('asks-clients-that-cannot'))
      throw new ToolFailure('This client cannot ask the user; nothing was done.')
    const id = nextId()
    const params = { message: text, requestedSchema }
    if (session.version >= '2025-11-25' && !on('elicitation-mode-left-out')) params.mode = 'form'
    if (on('elicitation-message-missing')) delete params.message
    const result = await new Promise((resolve, reject) => {
      const giveUp = (error) => {
        if (!session.asked.delete(id)) return
        send({
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'The request that asked has ended.' },
        })
        reject(error)
      }
      const timer = setTimeout(
        () => giveUp(new ToolFailure('Request timed out. Please try again.')),
        ELICITATION_TIMEOUT_MS,
      )
      finishers.push(() => clearTimeout(timer))
      if (!on('cancelled-elicitation-still-open'))
        signal.addEventListener('abort', () => giveUp(new Error('cancelled')))
      session.asked.set(id, {
        resolve,
        reject: () => reject(new ToolFailure('The user could not be asked; nothing was done.')),
      })
      send({ id, method: 'elicitation/create', params })
    })
    if (!result || !['accept', 'decline', 'cancel'].includes(result.action))
      throw new ToolFailure('The client gave no usable answer; nothing was done.')
    return result
  }

  return {
    session,
    signal,
    progress,
    log,
    elicit,
    ping: () => send({ id: nextId(), method: 'ping' }),
    onFinish: (f) => finishers.push(f),
    finish() {
      if (on('progress-after-answer') && message.params?.name?.includes('audit'))
        setTimeout(() => {
          before = 2
          progress(2, 'Really done')
        }, 30)
      done = true
      for (const f of finishers) f()
    },
  }
}

let everyone = () => []
export function setEveryone(f) {
  everyone = f
}
const others = (session) => everyone().filter((s) => s !== session && s.initialized)
