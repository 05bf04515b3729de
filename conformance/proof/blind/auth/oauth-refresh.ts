import type { Answer } from './http.ts'
import { endpointError, valueOf } from './oauth-clients.ts'
import { isConfidential } from './oauth-env.ts'
import type { Client, OAuthEnv, RefreshToken } from './oauth-env.ts'
import {
  accessLifetime,
  issueAccessToken,
  issueRefreshToken,
  revokeAccessTokens,
  revokeGrant,
  tokenAnswer,
} from './oauth-tokens.ts'

/** The grant type refresh_token. */
export function refresh(env: OAuthEnv, client: Client, form: URLSearchParams): Answer {
  const { on, OAUTH_KV: store } = env
  const value = valueOf(form, 'refresh_token')
  if (value === undefined) {
    return endpointError(env, 400, 'invalid_request', 'refresh_token is missing')
  }
  const token = findToken(env, value)
  if (token === undefined) {
    return endpointError(env, 400, 'invalid_grant', 'The refresh token is not known')
  }
  const { grant } = token
  if (grant.clientId !== client.id && !on('refresh-of-other-client')) {
    return endpointError(env, 400, 'invalid_grant', 'The refresh token belongs to another client')
  }
  if (grant.revoked || (on('second-refresh-refused') && grant.refreshes > 0)) {
    return endpointError(env, 400, 'invalid_grant', 'The grant has ended')
  }
  if (token.rotated && !usableOnceMore(env, token)) {
    // Someone else may have the newer token, so the whole grant ends.
    revokeGrant(env, grant)
    return endpointError(env, 400, 'invalid_grant', 'The refresh token was used before')
  }
  const asked = valueOf(form, 'scope')?.split(' ')
  const allowed = on('refresh-scope-widened') ? env.scopes : token.scopes
  if (asked !== undefined && !asked.every((scope) => allowed.includes(scope))) {
    return endpointError(env, 400, 'invalid_scope', 'The scope was not granted')
  }
  const resources = form.getAll('resource').filter((resource) => resource !== '')
  if (resources.some((resource) => resource !== grant.resource)) {
    return endpointError(env, 400, 'invalid_target', 'The resource was not granted')
  }
  grant.refreshes += 1
  if (on('refresh-revokes-old-access')) revokeAccessTokens(env, grant)
  const scopes = asked ?? token.scopes
  const lifetime = on('refreshed-token-never-expires') ? Infinity : accessLifetime(env)
  const access = issueAccessToken(env, grant, scopes, lifetime)
  if (on('refresh-takes-latest-user')) access.user = store.latestUser ?? access.user
  if (on('refreshed-token-dead')) access.revoked = true
  return tokenAnswer(env, access, nextToken(env, client, token, scopes), true)
}

function findToken(env: OAuthEnv, value: string): RefreshToken | undefined {
  const { OAUTH_KV: store } = env
  const token = store.refreshTokens.get(value)
  const access = env.on('access-token-refreshes') ? store.accessTokens.get(value) : undefined
  if (token !== undefined || access === undefined) return token
  return {
    value,
    grant: access.grant,
    scopes: access.scopes,
    rotated: false,
    usesAfterRotation: 0,
  }
}

function usableOnceMore(env: OAuthEnv, token: RefreshToken): boolean {
  if (!env.on('rotated-refresh-usable-once')) return false
  token.usesAfterRotation += 1
  return token.usesAfterRotation === 1
}

/** Rotates the refresh token; undefined when the old one stays in use. */
function nextToken(
  env: OAuthEnv,
  client: Client,
  token: RefreshToken,
  scopes: readonly string[],
): RefreshToken | undefined {
  const { on } = env
  const kept = isConfidential(client) ? on('confidential-refresh-kept') : on('public-refresh-kept')
  if (kept) return undefined
  token.rotated = true
  const next = issueRefreshToken(env, token.grant)
  if (on('narrowing-sticks')) next.scopes = scopes
  return next
}
