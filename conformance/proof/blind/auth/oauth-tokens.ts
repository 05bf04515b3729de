import { jsonAnswer, withHeaders } from './http.ts'
import type { Answer } from './http.ts'
import type { JsonObject } from './json.ts'
import type { AccessToken, Client, Grant, OAuthEnv, RefreshToken } from './oauth-env.ts'
import { refreshOffered } from './oauth-register.ts'
import { newAccessToken, newRefreshToken } from './oauth-values.ts'

export function accessLifetime(env: OAuthEnv): number {
  return env.on('access-tokens-live-5-minutes') ? 300 : 3600
}

/** Stores a new access token; lifetime in seconds. */
export function issueAccessToken(
  env: OAuthEnv,
  grant: Grant,
  scopes: readonly string[],
  lifetime: number,
): AccessToken {
  const token: AccessToken = {
    value: newAccessToken(env, grant, Math.min(lifetime, accessLifetime(env))),
    grant,
    user: grant.user,
    scopes,
    issuedAt: env.now(),
    expiresAt: env.now() + lifetime * 1000,
    revoked: false,
  }
  env.OAUTH_KV.accessTokens.set(token.value, token)
  return token
}

export function issueRefreshToken(env: OAuthEnv, grant: Grant): RefreshToken {
  const token: RefreshToken = {
    value: newRefreshToken(env),
    grant,
    scopes: grant.scopes,
    rotated: false,
    usesAfterRotation: 0,
  }
  env.OAUTH_KV.refreshTokens.set(token.value, token)
  return token
}

/** Whether this grant comes with a refresh token. */
export function refreshAllowed(env: OAuthEnv, client: Client, grant: Grant): boolean {
  const { on } = env
  return (
    refreshOffered(env) &&
    !on('no-refresh-tokens') &&
    client.grantTypes.includes('refresh_token') &&
    (!on('offline-access-scope') || grant.scopes.includes('offline_access'))
  )
}

/** A successful answer of the token endpoint. */
export function tokenAnswer(
  env: OAuthEnv,
  access: AccessToken,
  refresh: RefreshToken | undefined,
  isRefresh: boolean,
): Answer {
  const { on } = env
  const { grant } = access
  const lifetime = accessLifetime(env)
  const stated = on('expires-in-wrong') ? 86_400 : lifetime
  const body: JsonObject = { access_token: access.value }
  if (!on('token-type-missing'))
    body['token_type'] = on('token-type-lower-case') ? 'bearer' : 'Bearer'
  if (!on('expires-in-left-out'))
    body['expires_in'] = on('expires-in-text') ? String(stated) : stated
  if (refresh !== undefined) body['refresh_token'] = refresh.value
  if (scopeNamed(env, access)) body['scope'] = scopeText(env, access.scopes)
  if (on('extra-token-fields')) {
    body['created_at'] = Math.floor(access.issuedAt / 1000)
    body['user'] = { login: grant.user.login }
  }
  if (on('upstream-token-in-answer')) body['upstream_access_token'] = grant.user.accessToken ?? null
  const cacheable = on('token-answer-cacheable') || (isRefresh && on('refresh-answer-cacheable'))
  return withHeaders(jsonAnswer(200, body), {
    ...(on('token-answer-as-text') ? { 'Content-Type': 'text/html' } : {}),
    ...(cacheable ? {} : { 'Cache-Control': 'no-store', Pragma: 'no-cache' }),
  })
}

/** The order of scopes has no meaning. */
function scopeText(env: OAuthEnv, scopes: readonly string[]): string {
  return env.on('scope-order-changed') ? [...scopes].reverse().join(' ') : scopes.join(' ')
}

function scopeNamed(env: OAuthEnv, access: AccessToken): boolean {
  const { on } = env
  const silent = on('unknown-scope-dropped-in-silence') && access.grant.scopesRequested
  if (silent || on('scope-widened-in-silence')) return false
  const same = access.grant.scopesRequested && access.scopes.length === access.grant.scopes.length
  return !(on('scope-left-out-when-same') && same)
}

/** Ends a grant with all its tokens. */
export function revokeGrant(env: OAuthEnv, grant: Grant): void {
  grant.revoked = true
  revokeAccessTokens(env, grant)
}

export function revokeAccessTokens(env: OAuthEnv, grant: Grant): void {
  for (const token of env.OAUTH_KV.accessTokens.values()) {
    if (token.grant === grant) token.revoked = true
  }
}

export function isLive(env: OAuthEnv, token: AccessToken): boolean {
  return !token.revoked && env.now() < token.expiresAt
}
