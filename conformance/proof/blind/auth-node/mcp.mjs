// The Streamable HTTP transport at /mcp (MCP 2025-03-26, 2025-06-18 and 2025-11-25).
import { mediaType, random, readBody, send, sendJson } from './http.mjs'
import { authenticate, refuseScope } from './access.mjs'
import { TOOLS, callTool } from './tools.mjs'

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
const failure = (id, code, message) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message },
})
const sendFailure = (res, status, code, message, headers) =>
  sendJson(res, status, failure(null, code, message), headers)

/** Browsers send an Origin; only pages of this server may talk to it (protection against DNS rebinding). */
function originIsFine(ctx, req) {
  const { origin } = req.headers
  return (
    origin === undefined ||
    ctx.on('origin-unchecked') ||
    [ctx.origin, `http://localhost:${ctx.port}`].includes(origin)
  )
}

const isMessage = (one) =>
  one !== null && typeof one === 'object' && !Array.isArray(one) && one.jsonrpc === '2.0'
const isRequest = (one) => typeof one.method === 'string' && 'id' in one

function parse(body) {
  try {
    return { value: JSON.parse(body.toString('utf8')) }
  } catch {
    return { broken: true }
  }
}

export async function mcp(ctx, req, res, url) {
  if (!originIsFine(ctx, req)) return sendFailure(res, 403, -32600, 'Origin not allowed')
  const parsed = req.method === 'POST' ? parse(await readBody(req)) : {}
  const messages = parsed.value === undefined ? [] : [parsed.value].flat()
  const id = req.headers['mcp-session-id']
  let session = ctx.sessions.get(id)
  const identity = authenticate(ctx, req, res, url, messages, session)
  if (!identity) return undefined

  if (!['POST', 'GET', 'DELETE'].includes(req.method))
    return sendFailure(res, 405, -32600, 'Method not allowed', { Allow: 'POST, GET, DELETE' })
  // A session belongs to the user who began it; to everybody else it does not exist.
  if (
    session &&
    session.user.login !== identity.user.login &&
    !ctx.on('session-open-to-other-users')
  )
    session = undefined
  const version = req.headers['mcp-protocol-version']
  if (
    version !== undefined &&
    !VERSIONS.includes(version) &&
    !ctx.on('unknown-protocol-version-accepted')
  ) {
    return sendFailure(res, 400, -32600, 'Unsupported MCP-Protocol-Version')
  }
  const begins = messages.some((one) => one?.method === 'initialize')
  if (!begins && !ctx.on('no-sessions')) {
    if (id === undefined) return sendFailure(res, 400, -32600, 'Mcp-Session-Id is missing')
    if (!session)
      return sendFailure(
        res,
        ctx.on('unknown-session-is-400') ? 400 : 404,
        -32600,
        'Unknown session',
      )
  }
  if (req.method === 'GET') return openStream(ctx, req, res)
  if (req.method === 'DELETE') {
    if (ctx.on('session-end-not-offered') || ctx.on('no-sessions'))
      return sendFailure(res, 405, -32600, 'Method not allowed', { Allow: 'POST' })
    if (!ctx.on('session-survives-its-end')) ctx.sessions.delete(id)
    return send(res, 204)
  }
  return post(ctx, req, res, { parsed, messages, identity, session, begins })
}

function openStream(ctx, req, res) {
  if (!ctx.on('get-opens-event-stream'))
    return sendFailure(res, 405, -32600, 'No event stream here', { Allow: 'POST, DELETE' })
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
  res.write(': open\n\n')
  const timer = setTimeout(() => res.end(), 20_000)
  res.on('close', () => clearTimeout(timer))
  return undefined
}

async function post(ctx, req, res, { parsed, messages, identity, session, begins }) {
  if (mediaType(req) !== 'application/json')
    return sendFailure(res, 415, -32600, 'Content-Type must be application/json')
  const accept = req.headers.accept ?? ''
  const wants = (type) => accept.includes(type) || accept.includes('*/*')
  if (
    !(wants('application/json') && wants('text/event-stream')) &&
    !ctx.on('accept-header-not-checked')
  ) {
    return sendFailure(res, 406, -32600, 'Accept must list application/json and text/event-stream')
  }
  if (parsed.broken) return sendFailure(res, 400, -32700, 'Parse error')
  const isBatch = Array.isArray(parsed.value)
  // Batches exist in 2025-03-26 only.
  const batchAllowed = session
    ? session.version === '2025-03-26'
    : ctx.on('no-sessions') && req.headers['mcp-protocol-version'] === undefined
  if (!messages.length || !messages.every(isMessage) || (isBatch && (!batchAllowed || begins)))
    return sendFailure(res, 400, -32600, 'Invalid request')

  for (const one of messages) {
    const missing = isRequest(one) && missingScope(ctx, one, identity)
    if (missing) return refuseScope(ctx, res, missing)
  }
  const headers = {}
  const answers = []
  for (const one of messages.filter(isRequest))
    answers.push(await answerOne(ctx, one, identity, session, headers))
  if (!answers.length) return send(res, ctx.on('notification-answered-200') ? 200 : 202)
  const body = isBatch ? answers : answers[0]
  if (ctx.on('answers-as-event-stream')) {
    return send(
      res,
      200,
      { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...headers },
      `event: message\ndata: ${JSON.stringify(body)}\n\n`,
    )
  }
  return sendJson(res, 200, body, headers)
}

const toolNamed = (name) => TOOLS.find((one) => one.name === name)

/** The scope that a tool call needs and the token lacks. JWTs of pattern 2 carry no scopes: they open everything. */
function missingScope(ctx, request, identity) {
  if (request.method !== 'tools/call' || ctx.pattern === 'jwt') return undefined
  const needed = toolNamed(request.params?.name)?.scope
  if (!needed || identity.scope.includes(needed)) return undefined
  if (needed === 'notes:write' && ctx.on('write-scope-unchecked')) return undefined
  if (
    ctx.on('scope-compared-by-first-part') &&
    identity.scope.some((one) => one.split(':')[0] === needed.split(':')[0])
  )
    return undefined
  return needed
}

async function answerOne(ctx, request, identity, session, headers) {
  const reply = (result) => ({ jsonrpc: '2.0', id: request.id, result })
  const { method, params } = request
  if (typeof request.id !== 'string' && typeof request.id !== 'number')
    return failure(null, -32600, 'Invalid id')
  if (method === 'initialize') return initialize(ctx, request, identity, headers, reply)
  if (method === 'ping') return reply({})
  if (method === 'tools/list') {
    if (params?.cursor !== undefined) return failure(request.id, -32602, 'Unknown cursor')
    const tools = TOOLS.map(({ scope, ...shown }) => shown)
    return reply({ tools: ctx.on('tools-in-other-order') ? tools.reverse() : tools })
  }
  if (method === 'tools/call') {
    const tool = toolNamed(params?.name)
    if (!tool) return failure(request.id, -32602, 'Unknown tool')
    return reply(await callTool(ctx, tool, params.arguments ?? {}, identity, session))
  }
  return failure(request.id, -32601, 'Method not found')
}

function initialize(ctx, request, identity, headers, reply) {
  const asked = request.params?.protocolVersion
  if (typeof asked !== 'string') return failure(request.id, -32602, 'protocolVersion is missing')
  const version = VERSIONS.includes(asked) ? asked : VERSIONS[0]
  if (!ctx.on('no-sessions')) {
    const id = random(24)
    ctx.sessions.set(id, {
      user: identity.user,
      version,
      identity,
      tokenDigest: identity.tokenDigest,
    })
    headers['Mcp-Session-Id'] = id
  }
  const result = {
    protocolVersion: version,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes_mcp', version: '1.0.0' },
  }
  if (ctx.on('initialize-gives-instructions')) result.instructions = 'Notes of the signed-in user.'
  return reply(result)
}
