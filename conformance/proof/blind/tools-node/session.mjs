// One client's session: lifecycle, dispatch and everything that must not leak to other clients.
import { randomUUID, randomBytes } from 'node:crypto'
import { on } from './switches.mjs'
import { store } from './store.mjs'
import { RpcError, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS } from './errors.mjs'
import { classify, answer, refusal, idOfInvalid, idKey } from './messages.mjs'
import { makeContext } from './context.mjs'
import { initialize, LATEST } from './lifecycle.mjs'
import { methods } from './methods.mjs'

export const sessions = new Set()
let counter = 0

function newId() {
  counter += 1
  if (on('session-ids-count-up')) return `session-${counter}`
  if (on('session-ids-from-clock')) return `${Math.floor(Date.now() / 1000)}-${counter}`
  if (on('session-ids-with-space')) return `seed bank ${randomUUID()}`
  if (on('session-ids-in-hex')) return randomBytes(24).toString('hex')
  if (on('session-ids-long')) return randomBytes(96).toString('base64url')
  return randomUUID()
}

export class Session {
  // notify sends what belongs to no request.
  constructor(kind, notify) {
    Object.assign(this, {
      kind,
      notify,
      id: newId(),
      version: null,
      initialized: false,
      capabilities: {},
      level: startLevel(),
      running: new Map(),
      asked: new Map(),
      subscriptions: new Set(),
      requestNumber: 0,
      tokens: 500,
      filledAt: Date.now(),
    })
    sessions.add(this)
    this.listener = (event) => this.storeChanged(event)
    store.listeners.add(this.listener)
  }

  close() {
    if (this.closed) return
    this.closed = true
    store.listeners.delete(this.listener)
    sessions.delete(this)
    if (on('ending-one-session-stops-work-of-all'))
      for (const s of sessions) for (const r of s.running.values()) r.abort()
    for (const controller of this.running.values()) controller.abort()
    for (const { reject } of this.asked.values()) reject(new Error('session closed'))
  }

  storeChanged({ kind, id }) {
    if (!this.initialized && !(on('notices-before-initialized') && this.version)) return
    const tell = (method, params) =>
      this.notify({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
    const listed =
      kind === 'created' ||
      (kind === 'deleted' && !on('deletion-not-announced')) ||
      (kind === 'updated' && on('updates-announced-as-list-changes'))
    if (listed && !on('list-changes-not-offered') && !on('list-changes-promised-not-sent'))
      tell('notifications/resources/list_changed')
    const uri = `seedbank://accessions/${id}`
    const pool = on('subscriptions-shared')
      ? [...sessions].flatMap((s) => [...s.subscriptions])
      : [...this.subscriptions]
    const wanted = on('subscription-by-prefix')
      ? pool.some((u) => uri.startsWith(u.slice(0, -1)))
      : on('updates-sent-unasked') || pool.includes(uri)
    if (kind === 'updated' && wanted && !on('subscriptions-not-offered')) {
      if (on('only-first-update-told') && this.told?.has(uri)) return
      ;(this.told ??= new Set()).add(uri)
      tell('notifications/resources/updated', on('update-notice-without-uri') ? {} : { uri })
    }
  }

  // Any parsed JSON value; what comes back (an answer, a list of them or undefined) goes to the client.
  async take(value, channel) {
    if (Array.isArray(value)) return this.takeBatch(value, channel)
    return this.takeOne(value, channel)
  }

  async takeBatch(list, channel) {
    // Only 2025-03-26 has batches.
    const allowed =
      this.version === null || this.version === '2025-03-26' || on('batches-taken-in-all-revisions')
    if (!allowed || on('batches-refused'))
      return refusal(
        null,
        new RpcError(INVALID_REQUEST, 'Batches are not part of this protocol revision.'),
      )
    if (!list.length)
      return on('empty-batch-answered-with-list')
        ? []
        : refusal(null, new RpcError(INVALID_REQUEST, 'The batch is empty.'))
    if (on('one-bad-message-spoils-batch') && list.some((m) => classify(m) === 'invalid'))
      return refusal(null, new RpcError(INVALID_REQUEST, 'Invalid request'))
    const one = (m) =>
      m?.method === 'initialize' && classify(m) === 'request'
        ? refusal(m.id, new RpcError(INVALID_REQUEST, 'initialize must not be part of a batch.'))
        : this.takeOne(m, channel)
    const answers = (
      await Promise.all((on('batch-answers-only-last-100') ? list.slice(-100) : list).map(one))
    ).filter(Boolean)
    if (on('batch-notifications-answered'))
      for (const m of list)
        if (classify(m) === 'notification') answers.push({ jsonrpc: '2.0', id: null, result: {} })
    if (on('batch-of-one-answered-bare') && answers.length === 1) return answers[0]
    if (on('batch-answers-reversed')) answers.reverse()
    return answers.length ? answers : on('batch-of-notifications-answered') ? [] : undefined
  }

  async takeOne(m, channel) {
    const what = classify(m)
    if (what === 'invalid')
      return refusal(idOfInvalid(m), new RpcError(INVALID_REQUEST, 'Invalid request'))
    if (what === 'response') return void this.answered(m)
    if (what === 'notification') {
      this.notified(m)
      if (on('unknown-notifications-answered') && !m.method.startsWith('notifications/'))
        return refusal(null, new RpcError(METHOD_NOT_FOUND, `Method not found: ${m.method}`))
      return undefined
    }
    return this.request(m, channel)
  }

  answered(m) {
    const pools = on('answers-taken-from-any-session')
      ? [...sessions].map((s) => s.asked)
      : [this.asked]
    const pool = pools.find((p) => p.has(m.id))
    const waiting = pool?.get(m.id)
    if (!waiting) return
    pool.delete(m.id)
    if (Object.hasOwn(m, 'error')) waiting.reject(new RpcError(m.error?.code, 'refused'))
    else waiting.resolve(m.result)
  }

  notified(m) {
    if (m.method === 'notifications/initialized') {
      if (this.version) this.initialized = true
    } else if (m.method === 'notifications/cancelled' && !on('cancellation-ignored')) {
      const key = idKey(m.params?.requestId)
      this.running.get(key)?.abort()
      if (on('cancellation-reaches-other-sessions'))
        for (const s of sessions) s.running.get(key)?.abort()
      if (on('cancellation-stops-all')) for (const r of this.running.values()) r.abort()
      if (
        on('cancellation-of-unknown-ends-session') &&
        m.params?.requestId !== undefined &&
        !this.running.has(key)
      )
        this.close()
    }
  }

  async request(m, channel) {
    const key = idKey(m.id)
    if (on('duplicate-running-id-refused') && this.running.has(key))
      return refusal(
        m.id,
        new RpcError(INVALID_REQUEST, 'A request with this id is still running.'),
      )
    const controller = new AbortController()
    this.running.set(key, controller)
    const ctx = makeContext(this, m, channel, controller.signal)
    try {
      const result = await this.run(m, ctx)
      if (controller.signal.aborted) return undefined
      return answer(m.id, result)
    } catch (error) {
      // Nobody waits for the answer to a cancelled request.
      if (controller.signal.aborted)
        return on('cancelled-requests-answered')
          ? refusal(m.id, new RpcError(-32800, 'Request cancelled'))
          : undefined
      if (!(error instanceof RpcError)) process.stderr.write(`${error.stack}\n`)
      return refusal(m.id, error)
    } finally {
      if (this.running.get(key) === controller) this.running.delete(key)
      ctx.finish()
    }
  }

  async run(m, ctx) {
    if (Array.isArray(m.params)) throw new RpcError(INVALID_PARAMS, 'The params must be an object.')
    const params = m.params ?? {}
    if (m.method === 'initialize') {
      if (this.version && !on('second-initialize-taken'))
        throw new RpcError(INVALID_REQUEST, 'The session is already initialized.')
      return initialize(this, params)
    }
    if (m.method === 'ping') {
      if (on('ping-waits-for-running-work'))
        while (this.running.size > 1) await new Promise((r) => setTimeout(r, 20))
      return on('ping-answered-with-text') ? { status: 'ok' } : {}
    }
    if (!this.version) {
      if (!on('requests-before-initialize-served'))
        throw new RpcError(INVALID_REQUEST, 'The session is not initialized.')
      this.version = LATEST
    }
    if (!this.initialized && on('requests-before-initialized-refused'))
      throw new RpcError(INVALID_REQUEST, 'The initialized notification has not come yet.')
    if (on('one-request-at-a-time')) {
      const before = this.queue ?? Promise.resolve()
      let release
      this.queue = new Promise((r) => {
        release = r
      })
      ctx.onFinish(release)
      await before
    }
    const method = Object.hasOwn(methods, m.method) ? methods[m.method] : undefined
    if (!method) {
      if (on('unknown-method-answered-with-empty-result')) return {}
      throw new RpcError(
        on('unknown-method-code-is-invalid-request') ? INVALID_REQUEST : METHOD_NOT_FOUND,
        `Method not found: ${m.method}`,
      )
    }
    return method(params, ctx)
  }
}

function startLevel() {
  if (on('logs-start-at-debug')) return 'debug'
  if (on('logs-start-at-warning')) return 'warning'
  return 'info'
}
