// Who may use /mcp: the bearer token of each request is judged here (RFC 6750, MCP authorization).
import { digest, send, sendJson } from './http.mjs'
import { findAccess, findRefresh, grantOf, refreshLives } from './grants.mjs'
import { verify } from './jwt.mjs'
import { SCOPES } from './app.mjs'

function challenge(ctx, { error, description, scope }) {
  const parts = []
  if (ctx.on('challenge-with-realm')) parts.push('realm="notes"')
  if (error) parts.push(`error="${error}"`)
  if (description && !ctx.on('errors-without-description'))
    parts.push(`error_description="${description}"`)
  if (scope && (error || !ctx.on('challenge-without-scope'))) parts.push(`scope="${scope}"`)
  const path = ctx.on('challenge-names-missing-document')
    ? '/.well-known/oauth-protected-resource/tools'
    : '/.well-known/oauth-protected-resource/mcp'
  parts.push(`resource_metadata="${ctx.origin}${path}"`)
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}`.trim() }
}

/** No usable credentials at all: no error code (RFC 6750, 3.1). */
function refuseAbsent(ctx, res) {
  ctx.audit('no token')
  const isJwt = ctx.pattern === 'jwt'
  const error = ctx.on('challenge-error-without-token') ? 'invalid_token' : undefined
  const headers = challenge(ctx, { error, scope: isJwt ? undefined : SCOPES.join(' ') })
  if (isJwt) {
    if (ctx.on('jwt-challenge-missing-on-401')) delete headers['WWW-Authenticate']
    const text = ctx.on('jwt-other-refusal-words') ? 'Please authenticate' : 'Unauthorized'
    return send(
      res,
      ctx.on('jwt-absent-header-is-403') ? 403 : 401,
      { 'Content-Type': 'text/plain', ...headers },
      text,
    )
  }
  if (ctx.on('refusals-without-body')) return send(res, 401, headers)
  return sendJson(
    res,
    ctx.on('absent-token-is-403') ? 403 : 401,
    { error: 'unauthorized' },
    headers,
  )
}

function refuseInvalid(ctx, res, expired) {
  ctx.audit('token refused')
  const headers = challenge(ctx, {
    error: 'invalid_token',
    description: 'the token is invalid or has expired',
    scope: ctx.pattern === 'jwt' ? undefined : SCOPES.join(' '),
  })
  if (ctx.on('challenge-missing-for-invalid-token')) delete headers['WWW-Authenticate']
  if (ctx.pattern === 'jwt') {
    const text = ctx.on('jwt-other-refusal-words') ? 'Token not accepted' : 'Invalid token'
    return send(
      res,
      ctx.on('jwt-invalid-token-is-401') || (expired && ctx.on('jwt-expired-token-is-401'))
        ? 401
        : 403,
      { 'Content-Type': 'text/plain', ...headers },
      text,
    )
  }
  if (ctx.on('refusals-without-body')) return send(res, 401, headers)
  return sendJson(
    res,
    ctx.on('invalid-token-is-403') ? 403 : 401,
    { error: 'invalid_token' },
    headers,
  )
}

function refuseMalformed(ctx, res) {
  const headers = challenge(ctx, {
    error: 'invalid_request',
    description: 'the Authorization header is malformed',
  })
  return ctx.on('refusals-without-body')
    ? send(res, 400, headers)
    : sendJson(res, 400, { error: 'invalid_request' }, headers)
}

export function refuseScope(ctx, res, scope) {
  const headers = challenge(ctx, {
    error: 'insufficient_scope',
    description: 'the token does not cover this tool',
    scope,
  })
  if (ctx.on('insufficient-scope-without-scope'))
    headers['WWW-Authenticate'] = headers['WWW-Authenticate'].replace(/scope="[^"]*", /, '')
  return sendJson(
    res,
    ctx.on('insufficient-scope-is-401') ? 401 : 403,
    { error: 'insufficient_scope' },
    headers,
  )
}

/** The switched-on gaps: doors through which a request gets in without a token. */
function openDoor(ctx, req, messages) {
  if (req.headers.authorization !== undefined) return false // with a token everything goes its usual way
  const methods = messages.map((one) => one?.method)
  const all = (test) => messages.length > 0 && messages.every(test)
  return (
    (ctx.on('get-without-token') && req.method === 'GET') ||
    (ctx.on('delete-without-token') && req.method === 'DELETE') ||
    (ctx.on('ping-without-token') && all((one) => one?.method === 'ping')) ||
    (ctx.on('tool-list-without-token') && all((one) => one?.method === 'tools/list')) ||
    (ctx.on('initialize-without-token') && methods.includes('initialize')) ||
    (ctx.on('notification-without-token') && all((one) => one && !('id' in one)))
  )
}

function judgeOpaque(ctx, token) {
  const record = findAccess(ctx, token, 'mcp')
  // A token is good only for the resource that it was issued for (MCP, "Token Handling").
  if (record && record.aud === ctx.mcpUrl)
    return { user: grantOf(ctx, record).user, grant: grantOf(ctx, record), scope: record.scope }
  const refresh = ctx.on('refresh-token-opens-resource') && findRefresh(ctx, token)
  if (refresh && refreshLives(ctx, refresh))
    return { user: grantOf(ctx, refresh).user, grant: grantOf(ctx, refresh), scope: refresh.scope }
  if (ctx.on('upstream-token-opens-resource')) {
    const grant = ctx.kv.list('grant:').find((one) => one.upstream?.accessToken === token)
    if (grant) return { user: grant.user, grant, scope: grant.scope }
  }
  return undefined
}

/** The identity behind the request, or undefined after the refusal has been sent. */
export function authenticate(ctx, req, res, url, messages, session) {
  const remember = (identity) => {
    ctx.memory.latestUser = identity.user
    return identity
  }
  if (openDoor(ctx, req, messages))
    return { user: session?.user ?? { login: 'nobody', email: null, name: null }, scope: SCOPES }
  const header = req.headers.authorization
  if (session && header === undefined && ctx.on('session-replaces-token'))
    return remember(session.identity)
  const scheme = ctx.on('bearer-scheme-case-sensitive') ? /^Bearer(?: |$)/ : /^bearer(?: |$)/i
  let token
  if (header !== undefined && scheme.test(header)) token = header.slice(6).trim()
  else if (ctx.on('token-in-query-accepted'))
    token = url.searchParams.get('access_token') ?? undefined
  if (token === undefined) {
    if (header !== undefined && ctx.on('jwt-other-scheme-is-403'))
      return refuseInvalid(ctx, res) ?? undefined
    return refuseAbsent(ctx, res) ?? undefined
  }
  if (session && ctx.on('session-skips-second-check') && session.tokenDigest === digest(token))
    return remember(session.identity)
  if (ctx.pattern === 'jwt') {
    if (token === '' && ctx.on('jwt-empty-token-is-401')) return refuseAbsent(ctx, res) ?? undefined
    const good = ctx.on('jwt-good-once-good-forever') && ctx.memory.seen?.get(token)
    const user = good || verify(ctx, token)
    if (!user) return refuseInvalid(ctx, res, expiredOnly(ctx, token)) ?? undefined
    ;(ctx.memory.seen ??= new Map()).set(token, user)
    if (ctx.memory.seen.size > 500) ctx.memory.seen.clear()
    return remember({ user, tokenDigest: digest(token) })
  }
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(token))
    return (
      (ctx.on('malformed-header-is-401') ? refuseInvalid(ctx, res) : refuseMalformed(ctx, res)) ??
      undefined
    )
  const identity = judgeOpaque(ctx, token)
  if (!identity) return refuseInvalid(ctx, res) ?? undefined
  return remember({ ...identity, tokenDigest: digest(token) })
}

/** Whether the expiry is all that is wrong with the token (only asked for a switch). */
function expiredOnly(ctx, token) {
  return (
    ctx.on('jwt-expired-token-is-401') &&
    Boolean(verify({ ...ctx, on: (name) => name === 'jwt-exp-ignored' }, token))
  )
}
