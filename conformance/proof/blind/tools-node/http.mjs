// Streamable HTTP: one path, /mcp, for POST, GET and DELETE.
import { on } from './switches.mjs'
import { Session } from './session.mjs'
import { Streams, open } from './streams.mjs'
import { classify, refusal } from './messages.mjs'
import { RpcError, PARSE_ERROR } from './errors.mjs'
import { guard, versionFits, sendJson, refuse, body, accepts } from './guard.mjs'

const live = new Map()
const ended = new Map()

function newSession() {
  const session = new Session('http', (m) => session.streams.notify(m))
  session.streams = new Streams(session)
  return session
}

function sessionOf(req, res) {
  const id = req.headers['mcp-session-id']
  if (id === undefined) {
    if (on('missing-session-served-by-latest') && live.size) return [...live.values()].at(-1)
    if (on('get-without-session-served') && req.method === 'GET' && live.size)
      return [...live.values()].at(-1)
    refuse(res, on('missing-session-answered-404') ? 404 : 400, 'Mcp-Session-Id is missing')
    return null
  }
  const session = live.get(id)
  if (session) return session
  if (on('ended-session-still-served') && ended.has(id) && req.method === 'POST')
    return ended.get(id)
  if (on('ended-session-still-streams') && ended.has(id) && req.method === 'GET')
    return ended.get(id)
  refuse(
    res,
    on('ended-session-answered-400') && ended.has(id) ? 400 : 404,
    'Session not found',
    {},
    -32001,
  )
  return null
}

export async function handleMcp(req, res) {
  const door = req.method.toLowerCase()
  if (!guard(req, res, door)) return undefined
  if (req.method === 'POST') return post(req, res)
  if (req.method === 'GET') return get(req, res)
  if (req.method === 'DELETE') return end(req, res)
  if (req.method === 'OPTIONS' && on('cors-headers-sent')) {
    res.writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID',
    })
    return res.end()
  }
  return refuse(res, 405, 'Method not allowed', { allow: 'GET, POST, DELETE' })
}

async function post(req, res) {
  if (!versionFits(req, res, live.get(req.headers['mcp-session-id']))) return undefined
  const json = accepts(req, 'application/json')
  const stream = accepts(req, 'text/event-stream')
  if (!(json && stream) && !on('any-accept-header-taken'))
    return refuse(res, 406, 'Accept must name application/json and text/event-stream')
  if (
    !/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '') &&
    !on('any-content-type-taken')
  )
    return refuse(res, 415, 'Content-Type must be application/json')
  const text = await body(req)
  if (text === null) return refuse(res, 413, 'The message is too large', { connection: 'close' })
  let value
  try {
    value = JSON.parse(text)
  } catch {
    const wrong = refusal(
      null,
      new RpcError(on('parse-error-called-invalid-request') ? -32600 : PARSE_ERROR, 'Parse error'),
    )
    return sendJson(res, 400, wrong)
  }
  const starts =
    !Array.isArray(value) &&
    classify(value) === 'request' &&
    value.method === 'initialize' &&
    req.headers['mcp-session-id'] === undefined
  const session = starts ? newSession() : sessionOf(req, res)
  if (!session) return undefined
  const messages = Array.isArray(value) ? value : [value]
  if (!messages.some((m) => classify(m) === 'request')) {
    const problem = await session.take(value, { send() {} })
    if (problem !== undefined) return sendJson(res, 400, problem)
    const single = classify(messages[0])
    if (on('notifications-answered-200') && single === 'notification') {
      res.writeHead(200)
      return res.end()
    }
    if (on('client-answers-answered-200') && single === 'response') {
      res.writeHead(200)
      return res.end()
    }
    if (on('notifications-answered-204') && single === 'notification') {
      res.writeHead(204)
      return res.end()
    }
    if (on('accepted-with-a-body')) {
      res.writeHead(202, { 'content-type': 'application/json' })
      return res.end('{}')
    }
    res.writeHead(202)
    return res.end()
  }
  if (starts) return start(res, session, value)
  const wantsStream =
    on('always-answers-in-stream') ||
    (messages.some((m) => m?.method === 'tools/call') && !on('stream-only-when-needed'))
  return answer(res, session, value, wantsStream)
}

async function start(res, session, value) {
  const reply = await session.take(value, { send() {} })
  if (!session.version) {
    session.close()
    return sendJson(res, on('refused-initialize-with-status-400') ? 400 : 200, reply)
  }
  live.set(session.id, session)
  const headers = { 'mcp-session-id': session.id }
  if (!on('always-answers-in-stream')) return sendJson(res, 200, reply, headers)
  const stream = session.streams.create(false)
  open(res, headers)
  stream.attach(res)
  stream.send(reply)
  return stream.end()
}

async function answer(res, session, value, wantsStream) {
  let stream
  const begin = () => {
    if (stream) return stream
    stream = session.streams.create(false)
    open(res)
    // A server may hang up after the first event; the client then comes back for the rest.
    stream.polled =
      on('streams-hang-up-and-wait') &&
      session.version >= '2025-11-25' &&
      !on('streams-cannot-be-resumed')
    stream.attach(res)
    if (stream.polled) stream.finish()
    if (on('lost-connection-cancels'))
      stream.onlost = () => {
        if (!stream.done) for (const r of session.running.values()) r.abort()
      }
    return stream
  }
  if (wantsStream) begin()
  const reply = await session.take(value, { send: (m) => begin().send(m) })
  if (!stream)
    return reply === undefined
      ? res.writeHead(202).end()
      : sendJson(res, reply.error && !Array.isArray(value) && reply.id === null ? 400 : 200, reply)
  if (on('answer-missing-after-many-events') && stream.events.length > 12) {
    stream.end()
    return undefined
  }
  if (Array.isArray(reply) && on('batch-answers-as-single-events'))
    for (const r of reply) stream.send(r)
  else if (reply !== undefined) stream.send(reply)
  if (reply !== undefined && on('answers-also-on-get-stream')) session.streams.notify(reply)
  return stream.end()
}

function get(req, res) {
  if (on('no-get-stream')) return refuse(res, 405, 'Method not allowed', { allow: 'POST, DELETE' })
  if (!versionFits(req, res, null)) return undefined
  if (!accepts(req, 'text/event-stream') && !on('any-accept-header-taken'))
    return refuse(res, 406, 'Accept must name text/event-stream')
  const session = sessionOf(req, res)
  if (!session) return undefined
  const last = req.headers['last-event-id']
  if (last !== undefined && !on('streams-cannot-be-resumed')) {
    const pools = on('replay-reaches-other-sessions') ? [session, ...live.values()] : [session]
    const found = pools.map((s) => s.streams.find(last)).find(Boolean)
    if (found) {
      open(res)
      found.stream.polled = false
      return found.stream.attach(res, found.after)
    }
    if (!on('unknown-event-id-opens-new-stream')) return refuse(res, 400, 'Unknown event id')
  }
  open(res)
  return session.streams.create(true).attach(res)
}

function end(req, res) {
  if (on('sessions-not-ended-by-clients'))
    return refuse(res, 405, 'Method not allowed', { allow: 'GET, POST' })
  if (!versionFits(req, res, null)) return undefined
  const session = sessionOf(req, res)
  if (!session) return undefined
  if (!on('ending-a-session-does-nothing')) {
    live.delete(session.id)
    ended.set(session.id, session)
    if (ended.size > 1000) ended.delete(ended.keys().next().value)
    session.close()
    session.streams.end()
  }
  res.writeHead(on('session-end-answered-204') ? 204 : on('session-end-answered-202') ? 202 : 200)
  return res.end()
}
