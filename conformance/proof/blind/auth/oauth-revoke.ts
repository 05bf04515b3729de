import { emptyAnswer, jsonAnswer, mediaType, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { authenticateClient, endpointError, repeatedName, valueOf } from './oauth-clients.ts'
import { isConfidential, seconds } from './oauth-env.ts'
import type { AccessToken, Client, OAuthEnv, RefreshToken } from './oauth-env.ts'
import { isLive, revokeAccessTokens, revokeGrant } from './oauth-tokens.ts'

interface Asked {
  readonly form: URLSearchParams
  readonly token: string
}

/** The common form of revocation and introspection requests. */
function readRequest(env: OAuthEnv, exchange: Exchange): Asked | { readonly refusal: Answer } {
  if (exchange.method !== 'POST') {
    return { refusal: withHeaders(textAnswer(405, 'Method not allowed'), { Allow: 'POST' }) }
  }
  if (mediaType(exchange) !== 'application/x-www-form-urlencoded') {
    return { refusal: endpointError(env, 400, 'invalid_request', 'The content type is not right') }
  }
  const form = new URLSearchParams(exchange.body)
  const token = valueOf(form, 'token')
  const repeated = repeatedName(form, [])
  if (token === undefined || repeated !== undefined) {
    return {
      refusal: endpointError(env, 400, 'invalid_request', 'token is missing or a name is repeated'),
    }
  }
  return { form, token }
}

/** Token revocation (RFC 7009). */
export function revoke(env: OAuthEnv, exchange: Exchange): Answer {
  const { on, OAUTH_KV: store } = env
  const asked = readRequest(env, exchange)
  if ('refusal' in asked) return asked.refusal
  const authentication = authenticateClient(env, exchange, asked.form)
  if ('refusal' in authentication) return authentication.refusal
  const done = withHeaders(emptyAnswer(200), { 'Cache-Control': 'no-store' })
  if (on('revocation-does-nothing')) return done

  const hint = on('revocation-trusts-hint') ? valueOf(asked.form, 'token_type_hint') : undefined
  const refresh = hint === 'access_token' ? undefined : store.refreshTokens.get(asked.token)
  const access = hint === 'refresh_token' ? undefined : store.accessTokens.get(asked.token)
  const found = refresh ?? access
  if (found === undefined) {
    return on('revocation-unknown-400')
      ? endpointError(env, 400, 'invalid_request', 'The token is not known')
      : done
  }
  if (found.grant.clientId !== authentication.client.id && !on('revocation-of-others')) {
    return endpointError(env, 400, 'invalid_grant', 'The token belongs to another client')
  }
  if (refresh !== undefined) {
    revokeRefreshToken(env, refresh)
  } else if (access !== undefined) {
    if (on('access-tokens-not-revocable')) {
      return endpointError(env, 400, 'unsupported_token_type', 'Access tokens cannot be revoked')
    }
    access.revoked = true
  }
  return done
}

function revokeRefreshToken(env: OAuthEnv, token: RefreshToken): void {
  const { on } = env
  if (on('revoked-refresh-works')) {
    revokeAccessTokens(env, token.grant)
  } else if (on('revoking-refresh-keeps-access')) {
    token.grant.revoked = true
  } else {
    revokeGrant(env, token.grant)
  }
}

/** Token introspection (RFC 7662), for clients with a secret and their own tokens. */
export function introspect(env: OAuthEnv, exchange: Exchange): Answer {
  const { on, OAUTH_KV: store } = env
  const asked = readRequest(env, exchange)
  if ('refusal' in asked) return asked.refusal
  let client: Client | undefined
  if (!on('introspection-open')) {
    const authentication = authenticateClient(env, exchange, asked.form)
    if ('refusal' in authentication) return authentication.refusal
    client = authentication.client
    if (!isConfidential(client)) {
      return withHeaders(
        endpointError(env, 401, 'invalid_client', 'Introspection needs a client with a secret'),
        { 'WWW-Authenticate': 'Basic realm="introspection"' },
      )
    }
  }
  const access = store.accessTokens.get(asked.token)
  const refresh = store.refreshTokens.get(asked.token)
  const found = access ?? refresh
  if (found === undefined && on('introspection-unknown-404')) {
    return endpointError(env, 404, 'invalid_request', 'The token is not known')
  }
  const own = found !== undefined && (client === undefined || found.grant.clientId === client.id)
  const active =
    own &&
    !found.grant.revoked &&
    (access === undefined ? refreshActive(refresh) : accessActive(env, access))
  const body = active ? describe(env, found, access) : { active: false }
  return withHeaders(jsonAnswer(200, body), { 'Cache-Control': 'no-store' })
}

function refreshActive(token: RefreshToken | undefined): boolean {
  return token !== undefined && !token.rotated
}

function accessActive(env: OAuthEnv, token: AccessToken): boolean {
  return isLive(env, token) || (!token.revoked && env.on('introspection-expired-active'))
}

function expiry(access: AccessToken): Record<string, number> {
  return Number.isFinite(access.expiresAt) ? { exp: seconds(access.expiresAt) } : {}
}

function describe(
  env: OAuthEnv,
  token: AccessToken | RefreshToken,
  access: AccessToken | undefined,
): Record<string, unknown> {
  const { grant } = token
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: grant.clientId,
    username: grant.user.login,
    sub: grant.user.login,
    aud: grant.resource,
    iss: env.origin,
    ...(access === undefined
      ? {}
      : { token_type: 'Bearer', iat: seconds(access.issuedAt), ...expiry(access) }),
  }
}
