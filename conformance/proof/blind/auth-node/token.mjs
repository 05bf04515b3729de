// The token endpoint: authorization codes and refresh tokens.
import {
  Params,
  digest,
  mediaType,
  noStore,
  notAllowed,
  readBody,
  sendJson,
  sha256,
} from './http.mjs'
import { authenticateClient, oauthError } from './client-auth.mjs'
import { findRefresh, grantOf, issueAccess, issueRefresh, revokeGrant } from './grants.mjs'
import { chooseResource, splitScope } from './scopes.mjs'
import { SCOPES } from './app.mjs'

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

export async function tokenEndpoint(ctx, req, res, url) {
  const byGet = req.method === 'GET' && ctx.on('token-by-get')
  if (req.method !== 'POST' && !byGet) return notAllowed(res, 'POST')
  const body = (await readBody(req)).toString('utf8')
  if (!byGet && mediaType(req) !== 'application/x-www-form-urlencoded') {
    return oauthError(
      ctx,
      res,
      ctx.on('wrong-media-type-415') ? 415 : 400,
      'invalid_request',
      'the body must be form-encoded',
    )
  }
  // Parameters are taken from the body only: the request URI is logged in too many places.
  const form = new Params(
    byGet
      ? url.search
      : ctx.on('token-query-parameters-accepted')
        ? `${url.search.slice(1)}&${body}`
        : body,
  )
  if (form.repeated().length && !ctx.on('repeated-token-parameter-accepted')) {
    return oauthError(ctx, res, 400, 'invalid_request', 'a parameter is given more than once')
  }
  const type = form.get('grant_type')
  if (type === undefined)
    return oauthError(ctx, res, 400, 'invalid_request', 'grant_type is missing')
  const client = authenticateClient(ctx, req, res, form, 'token')
  if (!client) return undefined
  const refuse = (error, description) => {
    ctx.audit('token refused', { client: client.client_id, error, description })
    if (error === 'invalid_grant' && ctx.on('invalid-grant-as-401'))
      return oauthError(ctx, res, 401, error, description)
    return oauthError(ctx, res, 400, error, description)
  }
  if (!['authorization_code', 'refresh_token'].includes(type)) {
    return refuse(
      ctx.on('unsupported-grant-says-invalid-request')
        ? 'invalid_request'
        : 'unsupported_grant_type',
      'unknown grant_type',
    )
  }
  if (!client.grant_types.includes(type))
    return refuse('unauthorized_client', 'this client is not registered for the grant type')
  return type === 'refresh_token'
    ? refresh(ctx, res, client, form, refuse)
    : redeem(ctx, res, client, form, refuse)
}

/** Why the verifier does not fit the challenge, or undefined. */
function verifierProblem(ctx, client, kept, verifier) {
  const latest =
    ctx.on('challenge-stored-per-client') && ctx.kv.get(`latest-of:${client.client_id}`)
  const record = latest ? { ...kept, challenge: latest.challenge } : kept
  if (record.pkceLost) return undefined
  if (record.challenge === undefined)
    return verifier === undefined ? undefined : 'no code_challenge was given'
  if (ctx.on('verifier-unchecked')) return undefined
  if (verifier === undefined)
    return ctx.on('verifier-absent-accepted') ? undefined : 'code_verifier is missing'
  if (ctx.on('verifier-unchecked-for-confidential') && client.token_endpoint_auth_method !== 'none')
    return undefined
  const longest = ctx.on('verifier-of-128-refused') ? 127 : 128
  const wellFormed =
    ctx.on('verifier-syntax-unchecked') ||
    (/^[A-Za-z0-9._~-]{43,}$/.test(verifier) && verifier.length <= longest)
  if (!wellFormed) return 'code_verifier is malformed'
  if (ctx.on('verifier-plain-accepted') && verifier === record.challenge) return undefined
  const computed = sha256(verifier).toString('base64url')
  if (ctx.on('challenge-compared-by-prefix'))
    return computed.slice(0, 16) === record.challenge.slice(0, 16)
      ? undefined
      : 'code_verifier does not fit'
  if (ctx.on('challenge-compared-without-case'))
    return computed.toLowerCase() === record.challenge.toLowerCase()
      ? undefined
      : 'code_verifier does not fit'
  return computed === record.challenge ? undefined : 'code_verifier does not fit'
}

/** A code that comes twice was stolen once: everything that came from it ends (OAuth 2.1, 4.1.3). */
function punishReplay(ctx, grant) {
  ctx.audit('code replayed', { client: grant.clientId })
  if (ctx.on('code-replay-keeps-tokens')) return
  if (ctx.on('code-replay-misses-rotated')) {
    for (const record of [grant.access[0], grant.refresh[0]]) if (record) record.revoked = true
    return
  }
  revokeGrant(grant, {
    access: !ctx.on('code-replay-keeps-access'),
    refresh: !ctx.on('code-replay-keeps-refresh'),
  })
}

async function redeem(ctx, res, client, form, refuse) {
  const code = form.get('code')
  if (code === undefined) return refuse('invalid_request', 'code is missing')
  const record = ctx.kv.get(`code:${digest(code)}`)
  if (!record) return refuse('invalid_grant', 'unknown code')
  if (record.clientId !== client.client_id && !ctx.on('code-of-any-client-accepted'))
    return refuse('invalid_grant', 'the code belongs to another client')
  const grant = grantOf(ctx, record)
  if (record.used && !ctx.on('code-works-twice')) {
    const late = ctx.now() >= record.expires
    if (!(late && ctx.on('late-code-replay-without-effect'))) punishReplay(ctx, grant)
    return refuse('invalid_grant', 'the code has been used')
  }
  if (ctx.now() >= record.expires && !ctx.on('code-expiry-unchecked')) {
    return refuse(
      ctx.on('expired-code-own-error') ? 'expired_code' : 'invalid_grant',
      'the code has expired',
    )
  }
  const problem = judgeExchange(ctx, client, form, record)
  if (problem) {
    if (ctx.on('refused-exchange-ends-code')) record.used = true
    return refuse(...problem)
  }
  if (ctx.on('parallel-exchanges-both-served')) await pause(80)
  record.used = true // no await between the check and this line: two requests at once cannot both pass
  const scope =
    (ctx.on('scope-stored-per-client') && ctx.kv.get(`latest-of:${client.client_id}`)?.scope) ||
    grant.scope
  const access = issueAccess(ctx, grant, scope)
  const next = client.grant_types.includes('refresh_token')
    ? issueRefresh(ctx, grant, scope)
    : undefined
  ctx.audit('tokens issued', { client: client.client_id, user: grant.user.login })
  return answer(ctx, res, access, scope, record.requestedScope, next, 'code')
}

function judgeExchange(ctx, client, form, record) {
  // OAuth 2.1 has no redirect_uri here, but a client of OAuth 2.0 sends one, and then it must be right (10.2).
  const given = form.get('redirect_uri')
  const right = ctx.on('token-redirect-uri-compared-with-registration')
    ? client.redirect_uris.includes(given)
    : given === record.redirectUri
  if (given !== undefined && !right && !ctx.on('token-redirect-uri-ignored')) {
    return ['invalid_grant', 'redirect_uri is not the one of the authorization request']
  }
  const verifier = form.get('code_verifier')
  const problem = verifierProblem(ctx, client, record, verifier)
  if (problem === 'code_verifier is missing')
    return [
      ctx.on('missing-verifier-says-invalid-grant') ? 'invalid_grant' : 'invalid_request',
      problem,
    ]
  if (problem === 'code_verifier is malformed')
    return [
      ctx.on('malformed-verifier-says-invalid-request') ? 'invalid_request' : 'invalid_grant',
      problem,
    ]
  if (problem) return ['invalid_grant', problem]
  return resourceProblem(ctx, form, 'resource-unchecked-at-token')
}

function resourceProblem(ctx, form, name) {
  const given = form.all('resource')
  if (!given.length) return undefined // the resource of the grant stands
  const choice = chooseResource(ctx, given, { unchecked: ctx.on(name) })
  return choice.error ? ['invalid_target', choice.error] : undefined
}

async function refresh(ctx, res, client, form, refuse) {
  const token = form.get('refresh_token')
  if (token === undefined) return refuse('invalid_request', 'refresh_token is missing')
  const record = findRefresh(ctx, token)
  if (!record) return refuse('invalid_grant', 'unknown refresh token')
  const grant = grantOf(ctx, record)
  if (record.clientId !== client.client_id && !ctx.on('refresh-of-any-client-accepted')) {
    if (ctx.on('foreign-refresh-ends-grant')) revokeGrant(grant)
    return refuse('invalid_grant', 'the refresh token belongs to another client')
  }
  if (record.revoked && !ctx.on('revoked-refresh-still-works'))
    return refuse('invalid_grant', 'the refresh token has been revoked')
  if (record.rotated && !ctx.on('rotated-refresh-still-works')) {
    // Two parties hold the same token and one of them is not the client, so the whole grant ends.
    ctx.audit('refresh token replayed', { client: client.client_id })
    if (ctx.on('refresh-replay-ends-only-refresh')) revokeGrant(grant, { access: false })
    else if (ctx.on('refresh-replay-keeps-refresh')) revokeGrant(grant, { refresh: false })
    else if (ctx.on('older-refresh-replay-without-effect') && record !== grant.refresh.at(-2))
      ctx.audit('replay ignored')
    else if (!ctx.on('refresh-replay-without-effect')) revokeGrant(grant)
    return refuse('invalid_grant', 'the refresh token has been used')
  }
  if (ctx.now() >= record.expires) return refuse('invalid_grant', 'the refresh token has expired')
  const requested = form.get('scope')
  const bound = ctx.on('refresh-widens-scope') ? SCOPES : record.scope
  const scope = requested === undefined ? record.scope : splitScope(requested)
  if (!scope.length || !scope.every((one) => bound.includes(one))) {
    if (!ctx.on('refresh-ignores-wider-scope'))
      return refuse('invalid_scope', 'the scope goes beyond the grant')
  }
  const problem = resourceProblem(ctx, form, 'resource-unchecked-at-refresh')
  if (problem) return refuse(...problem)
  if (ctx.on('parallel-refreshes-both-served')) await pause(80)

  const granted = scope.every((one) => bound.includes(one)) ? scope : record.scope
  const access = issueAccess(
    ctx,
    grant,
    ctx.on('narrowed-token-keeps-full-scope') ? record.scope : granted,
  )
  if (ctx.on('refresh-ends-previous-access'))
    grant.access.slice(0, -1).forEach((one) => {
      one.revoked = true
    })
  if (ctx.on('refreshed-access-dies-early')) access.record.exp -= ctx.lifetimes.access / 2
  const isPublic = client.token_endpoint_auth_method === 'none'
  const rotate = isPublic
    ? !ctx.on('public-refresh-not-rotated')
    : !ctx.on('confidential-refresh-not-rotated')
  let next
  if (rotate) {
    record.rotated = true
    // A narrower request narrows the access token only (OAuth 2.1, 4.3.2).
    const kept = ctx.on('narrowing-sticks-to-refresh')
      ? granted
      : ctx.on('second-refresh-widens-scope')
        ? SCOPES
        : record.scope
    next = issueRefresh(ctx, grant, kept, record)
  } else if (!ctx.on('refresh-expiry-absolute')) {
    record.expires = ctx.now() + ctx.lifetimes.refresh
  }
  ctx.audit('tokens refreshed', { client: client.client_id, user: grant.user.login })
  return answer(ctx, res, access, granted, requested ?? record.scope.join(' '), next, 'refresh')
}

function answer(ctx, res, access, scope, requested, next, kind) {
  const grant = grantOf(ctx, access.record)
  let token = access.token
  if (ctx.on('upstream-token-handed-out') && grant.upstream) {
    token = grant.upstream.accessToken
    ctx.kv.put(`access:${digest(token)}`, access.record)
  }
  const seconds = ctx.lifetimes.access
  const body = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: ctx.on('expires-in-as-text')
      ? String(seconds)
      : ctx.on('expires-in-of-refresh-token') && next
        ? ctx.lifetimes.refresh
        : seconds,
  }
  if (next) body.refresh_token = next.token
  const same =
    requested !== undefined &&
    splitScope(requested).sort().join(' ') === [...scope].sort().join(' ')
  const hidden =
    (ctx.on('scope-omitted-when-as-requested') && same) ||
    (ctx.on('changed-scope-not-told') && !same)
  if (!hidden) body.scope = scope.join(' ')
  const cacheable =
    ctx.on('token-response-cacheable') ||
    (kind === 'refresh' && ctx.on('refresh-response-cacheable'))
  sendJson(res, 200, body, cacheable ? {} : noStore)
}
