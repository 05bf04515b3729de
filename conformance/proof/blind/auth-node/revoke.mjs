// Token revocation (RFC 7009) and token introspection (RFC 7662).
import {
  Params,
  mediaType,
  noStore,
  notAllowed,
  readBody,
  sameText,
  send,
  sendJson,
  digest,
} from './http.mjs'
import { authenticateClient, basicCredentials, oauthError } from './client-auth.mjs'
import { findAccess, findRefresh, grantOf, refreshLives, revokeGrant } from './grants.mjs'

async function formOf(ctx, req, res) {
  if (req.method !== 'POST') {
    notAllowed(res, 'POST')
    return undefined
  }
  const body = (await readBody(req)).toString('utf8')
  const form = new Params(body)
  const problem =
    mediaType(req) !== 'application/x-www-form-urlencoded'
      ? 'the body must be form-encoded'
      : form.repeated().length
        ? 'a parameter is given more than once'
        : undefined
  if (!problem) return form
  oauthError(ctx, res, 400, 'invalid_request', problem)
  return undefined
}

/** The hint only says where to look first (RFC 7009, 2.1); unknown hints are ignored. */
function lookUp(ctx, token, hint, trusted) {
  const access = ctx.kv.get(`access:${digest(token)}`)
  const refresh = findRefresh(ctx, token)
  if (trusted && hint === 'access_token') return access
  if (trusted && hint === 'refresh_token') return refresh
  return access ?? refresh
}

export async function revoke(ctx, req, res) {
  const form = await formOf(ctx, req, res)
  if (!form) return undefined
  const client = authenticateClient(ctx, req, res, form, 'revoke')
  if (!client) return undefined
  const token = form.get('token')
  const done = () => send(res, 200, noStore)
  if (token === undefined)
    return ctx.on('revocation-without-token-is-200')
      ? done()
      : oauthError(ctx, res, 400, 'invalid_request', 'token is missing')
  const hint = form.get('token_type_hint')
  if (
    ctx.on('revocation-unknown-hint-refused') &&
    hint &&
    !['access_token', 'refresh_token'].includes(hint)
  ) {
    return oauthError(ctx, res, 400, 'unsupported_token_type', 'unknown token_type_hint')
  }
  const record = lookUp(ctx, token, hint, ctx.on('revocation-trusts-hint'))
  if (!record)
    return ctx.on('revocation-of-unknown-token-is-400')
      ? oauthError(ctx, res, 400, 'invalid_grant', 'unknown token')
      : done()
  if (record.clientId !== client.client_id && !ctx.on('revocation-of-foreign-token-works')) {
    if (ctx.on('revocation-of-foreign-token-says-200')) return done()
    return oauthError(ctx, res, 400, 'invalid_grant', 'the token belongs to another client')
  }
  if (record.revoked && ctx.on('second-revocation-is-400'))
    return oauthError(ctx, res, 400, 'invalid_grant', 'the token has been revoked')
  ctx.audit('token revoked', { client: client.client_id, kind: record.kind })
  apply(ctx, record)
  return done()
}

function apply(ctx, record) {
  const grant = grantOf(ctx, record)
  if (record.kind === 'access') {
    if (ctx.on('revocation-of-access-without-effect')) return
    record.revoked = true
    if (ctx.on('access-revocation-ends-grant')) revokeGrant(grant)
    return
  }
  if (ctx.on('revocation-of-refresh-without-effect')) return
  record.revoked = true
  if (ctx.on('revocation-reaches-other-clients')) {
    for (const other of ctx.kv.list('grant:'))
      if (other.user.login === grant.user.login) revokeGrant(other)
  } else if (ctx.on('revocation-of-refresh-keeps-access')) revokeGrant(grant, { access: false })
  else if (ctx.on('revocation-of-refresh-ends-newest-access-only')) {
    revokeGrant(grant, { access: false })
    grant.access.at(-1).revoked = true
  } else revokeGrant(grant)
}

function resourceServerKnown(ctx, req, form) {
  let given = basicCredentials(ctx, req.headers.authorization)
  if (!given && ctx.on('introspection-accepts-credentials-in-body'))
    given = { id: form.get('client_id'), secret: form.get('client_secret') }
  if (!given?.id || !given.secret) return false
  return (
    sameText(given.id, ctx.resourceServer.id) && sameText(given.secret, ctx.resourceServer.secret)
  )
}

function describe(ctx, record) {
  const grant = grantOf(ctx, record)
  const scope = ctx.on('introspection-shows-grant-scope') ? grant.scope : record.scope
  const exp =
    record.kind === 'access'
      ? record.exp
      : Number.isFinite(record.expires)
        ? Math.floor(record.expires)
        : undefined
  const times = (value) =>
    ctx.on('introspection-times-in-milliseconds') && value !== undefined ? value * 1000 : value
  const answer = {
    active: true,
    scope: ctx.on('introspection-scope-as-list') ? scope : scope.join(' '),
    client_id: record.clientId,
    username: grant.user.login,
    token_type: record.kind === 'access' ? 'Bearer' : undefined,
    exp: ctx.on('introspection-times-as-text') ? String(exp) : times(exp),
    iat: times(record.iat),
    sub: grant.user.login,
    aud: ctx.mcpUrl,
    iss: ctx.origin,
    jti: record.jti,
  }
  if (ctx.on('introspection-only-required-members'))
    return { active: true, scope: answer.scope, client_id: answer.client_id, exp: answer.exp }
  return answer
}

export async function introspect(ctx, req, res) {
  const form = await formOf(ctx, req, res)
  if (!form) return undefined
  if (!resourceServerKnown(ctx, req, form) && !ctx.on('introspection-open-to-all')) {
    ctx.audit('introspection refused')
    return oauthError(ctx, res, 401, 'invalid_client', 'resource server authentication failed', {
      'WWW-Authenticate': 'Basic realm="notes", charset="UTF-8"',
    })
  }
  const token = form.get('token')
  if (token === undefined) {
    if (ctx.on('introspection-without-token-is-inactive'))
      return sendJson(res, 200, { active: false }, noStore)
    return oauthError(ctx, res, 400, 'invalid_request', 'token is missing')
  }
  const hint = form.get('token_type_hint')
  const known = lookUp(ctx, token, hint, ctx.on('introspection-trusts-hint'))
  if (!known && ctx.on('introspection-of-unknown-token-is-error'))
    return oauthError(ctx, res, 400, 'invalid_token', 'unknown token')
  let active = false
  if (known?.kind === 'access')
    active =
      Boolean(findAccess(ctx, token, 'introspect')) ||
      (known.revoked && ctx.on('introspection-ignores-revocation') && ctx.now() < known.exp)
  else if (known && !ctx.on('introspection-of-refresh-tokens-inactive')) {
    active =
      refreshLives(ctx, known) ||
      (known.rotated && !known.revoked && ctx.on('introspection-rotated-refresh-active')) ||
      (known.revoked && ctx.on('introspection-revoked-refresh-active'))
  }
  if (active) return sendJson(res, 200, describe(ctx, known), noStore)
  if (known && ctx.on('introspection-inactive-with-details'))
    return sendJson(res, 200, { ...describe(ctx, known), active: false }, noStore)
  return sendJson(res, 200, { active: false }, noStore)
}
