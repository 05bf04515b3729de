// A receiver of webhook deliveries: checks the token, reads the JSON body, acknowledges, works afterwards.
import http from 'node:http'
import { KINDS, exact, same, send, sha, sleep } from './util.mjs'
import { acknowledge, interim, pathOf, refuse, secretOf, eventsOf } from './choices.mjs'
import { tokenRules } from './violations-token.mjs'
import { payloadRules } from './violations-payload.mjs'
import { httpRules } from './violations-http.mjs'

export function createReceiver(on) {
  const secret = secretOf(on)
  const path = pathOf(on).split('?')[0]
  const accepting = tokenRules.filter((rule) => rule.accept && on.has(rule.name))
  const rules = [...tokenRules, ...httpRules, ...payloadRules].filter(
    (r) => r.when && on.has(r.name),
  )
  const state = {
    total: 0,
    good: 0,
    bad: 0,
    active: 0,
    seen: new Map(),
    queue: [],
    left: '',
    tail: null,
  }
  const connections = new WeakMap()

  function connection(socket) {
    if (!connections.has(socket)) connections.set(socket, { requests: 0, good: 0, refused: 0 })
    return connections.get(socket)
  }

  function tokenMatches(d) {
    const { req } = d
    let values = req.headersDistinct['x-hook-token'] ?? []
    if (on.has('token-header-exact-case')) values = exact(req, 'X-Hook-Token')
    if (on.has('token-in-global-variable')) {
      values = state.lastToken
    }
    d.values = values
    d.given = values.length ? values.join(', ') : undefined
    if (values.length === 1 && same(values[0], secret)) return true
    return accepting.some((rule) => rule.accept(d))
  }

  /** Applies one rule's effect; true when the answer is dealt with. */
  async function effect(rule, d) {
    const act = typeof rule.then === 'function' ? rule.then(d) : rule.then
    if (typeof act === 'number') send(d.res, act, { error: rule.name })
    else if (act === 'hang') d.req.socket.setTimeout(0)
    else if (act === 'reset') d.req.socket.destroy()
    else if (act === 'exit') process.exit(1)
    else if (act.delay !== undefined) {
      await sleep(act.delay)
      return false
    } else if (act.wait) {
      await act.wait
      return false
    } else if (act.status) send(d.res, act.status, act.body ?? '', act.headers)
    return true
  }

  async function applyRules(stage, d) {
    for (const rule of rules) {
      if ((rule.stage ?? 'payload') !== stage || !rule.when(d)) continue
      if (await effect(rule, d)) return true
    }
    return false
  }

  async function readBody(req) {
    const chunks = []
    for await (const chunk of req) chunks.push(chunk)
    return chunks
  }

  /** What happens after the acknowledgement: here only a record in memory, newest first. */
  function enqueue(d) {
    setImmediate(() => {
      state.queue.unshift({ event: d.event, kind: d.payload?.object_kind, at: Date.now() })
      state.queue.length = Math.min(state.queue.length, 100)
    })
  }

  function otherRequest(d) {
    const { req, res } = d
    const pathname = req.url.split('?')[0]
    if (pathname !== path && !on.has('any-path')) {
      send(res, 404, { error: 'not found' })
      return true
    }
    if (req.method === 'POST') return false
    if (req.method === 'GET' && on.has('get-is-health-page')) {
      send(res, 200, { healthy: true })
      return true
    }
    if (on.has('other-methods-404')) send(res, 404, { error: 'not found' })
    else if (on.has('method-refusal-without-allow')) send(res, 405, { error: 'method not allowed' })
    else send(res, 405, { error: 'method not allowed' }, { Allow: 'POST' })
    return true
  }

  async function deliver(d) {
    const { req, res, conn } = d
    d.matches = on.has('token-in-global-variable') ? undefined : tokenMatches(d)
    if (d.matches === false && on.has('refuse-before-body')) {
      req.resume()
      return refuse(d, on)
    }
    if (await applyRules('head', d)) return undefined
    await interim(d, on)
    if (d.matches && on.has('acknowledge-before-body')) {
      acknowledge(d, on)
      req.resume()
      return undefined
    }
    d.chunks = await readBody(req)
    d.bytes = Buffer.concat(d.chunks)
    if (on.has('token-of-repeated-body-unchecked') && state.seen.has(sha(d.bytes))) d.matches = true
    d.matches ??= tokenMatches(d)
    if (!d.matches) {
      state.bad += 1
      conn.refused += 1
      if (await applyRules('mismatch', d)) return undefined
      if (on.has('refuse-after-a-second')) await sleep(1000)
      return refuse(d, on)
    }
    if (await applyRules('raw', d)) return undefined
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(d.bytes)
      d.payload = JSON.parse(state.left + text)
      if (Object.prototype.toString.call(d.payload) !== '[object Object]') throw new Error('type')
      state.left = ''
    } catch {
      return badBody(d)
    }
    state.good += 1
    conn.good += 1
    d.digest = sha(d.bytes)
    d.repeats = state.seen.get(d.digest) ?? 0
    state.seen.set(d.digest, d.repeats + 1)
    if (await applyRules('payload', d)) return undefined
    if (on.has('answer-after-two-seconds')) await sleep(2000)
    if (on.has('pipeline-after-four-seconds') && d.kind === 'pipeline') await sleep(4000)
    if (on.has('one-at-a-time')) {
      state.tail = (state.tail ?? Promise.resolve()).then(() => sleep(20))
      await state.tail
    }
    enqueue(d)
    return acknowledge(d, on)
  }

  async function badBody(d) {
    if (on.has('bad-body-left-in-buffer')) {
      state.left = state.left ? '' : d.bytes.toString('utf8').slice(0, 40)
    }
    if (await applyRules('bad-body', d)) return undefined
    state.afterBadBody = true
    if (on.has('bad-body-is-acknowledged')) return send(d.res, 200, { status: 'ignored' })
    return send(d.res, on.has('bad-body-is-422') ? 422 : 400, {
      error: 'the body is not a JSON object',
    })
  }

  async function handle(req, res) {
    const conn = connection(req.socket)
    conn.requests += 1
    const event = on.has('event-header-exact-case')
      ? exact(req, 'X-Hook-Event')[0]
      : req.headers['x-hook-event']
    const d = { req, res, conn, state, secret, event, kind: KINDS[event], on, events: eventsOf(on) }
    if (otherRequest(d)) return
    state.lastToken = req.headersDistinct['x-hook-token'] ?? []
    state.total += 1
    d.order = state.total
    state.active += 1
    res.once('close', () => {
      state.active -= 1
    })
    await deliver(d)
  }

  const listener = (req, res) => {
    handle(req, res).catch(() => {
      if (!res.headersSent && !res.destroyed) send(res, 500, { error: 'internal' })
    })
  }
  const server = http.createServer(listener)
  if (on.has('continue-never-sent')) server.on('checkContinue', listener)
  else if (on.has('continue-after-token-check')) {
    server.on('checkContinue', (req, res) => {
      const values = req.headersDistinct['x-hook-token'] ?? []
      if (values.length === 1 && same(values[0], secret)) res.writeContinue()
      else {
        req.resume()
        refuse({ req, res }, on)
        return
      }
      listener(req, res)
    })
  }
  if (on.has('keep-alive-thirty-seconds')) server.keepAliveTimeout = 30000
  return server
}
