// HTTP+SSE, the older transport: GET /sse brings everything, POST /messages takes everything.
import { on } from './switches.mjs'
import { Session } from './session.mjs'
import { frame, open } from './streams.mjs'
import { guard, refuse, body } from './guard.mjs'
import { refusal } from './messages.mjs'
import { RpcError, PARSE_ERROR } from './errors.mjs'

const live = new Map()
const gone = new Map()

export function handleSse(req, res) {
  if (!guard(req, res, 'sse')) return
  if (req.method !== 'GET') {
    refuse(res, 405, 'Method not allowed', { allow: 'GET' })
    return
  }
  open(res)
  const send = (m) => {
    const target = on('sse-answers-go-to-latest-client')
      ? ([...live.values()].at(-1)?.res ?? res)
      : res
    if (!target.writableEnded)
      target.write(
        frame({ event: on('sse-event-named-data') ? 'data' : 'message', data: JSON.stringify(m) }),
      )
  }
  const session = new Session('sse', send)
  session.send = send
  session.res = res
  live.set(session.id, session)
  const path = on('sse-endpoint-as-path')
    ? `/messages/${session.id}`
    : `/messages?sessionId=${encodeURIComponent(session.id)}`
  const host = req.headers.host ?? `127.0.0.1:${req.socket.localPort}`
  const uri = on('sse-endpoint-with-host')
    ? `http://${host}${path}`
    : on('sse-endpoint-as-json')
      ? JSON.stringify({ uri: path })
      : path
  if (on('sse-message-before-endpoint'))
    send({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'connected' },
    })
  if (!on('sse-endpoint-missing'))
    res.write(
      frame({ event: on('sse-endpoint-event-unnamed') ? undefined : 'endpoint', data: uri }),
    )
  res.on('close', () => {
    live.delete(session.id)
    gone.set(session.id, session)
    session.close()
  })
}

export async function handleMessages(req, res, url) {
  if (!guard(req, res, 'messages')) return undefined
  if (req.method !== 'POST') return refuse(res, 405, 'Method not allowed', { allow: 'POST' })
  const id =
    url.searchParams.get('sessionId') ?? decodeURIComponent(url.pathname.slice('/messages/'.length))
  const session =
    live.get(id) ??
    (on('sse-closed-session-takes-messages') ? gone.get(id) : undefined) ??
    (on('sse-unknown-session-served-by-latest') ? [...live.values()].at(-1) : undefined)
  if (!session) return refuse(res, 404, 'Session not found')
  const text = await body(req)
  if (text === null) return refuse(res, 413, 'The message is too large', { connection: 'close' })
  let value
  try {
    value = JSON.parse(text)
  } catch {
    const wrong = refusal(null, new RpcError(PARSE_ERROR, 'Parse error'))
    res.writeHead(400, { 'content-type': 'application/json' })
    return res.end(JSON.stringify(wrong))
  }
  if (on('sse-answers-in-post-body')) {
    const reply = await session.take(value, { send: session.send })
    res.writeHead(200, { 'content-type': 'application/json' })
    return res.end(reply === undefined ? '' : JSON.stringify(reply))
  }
  res.writeHead(202)
  res.end(on('sse-accepted-says-accepted') ? 'Accepted' : '')
  const reply = await session.take(value, { send: session.send })
  if (reply !== undefined) session.send(reply)
  return undefined
}
