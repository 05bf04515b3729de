import { jsonAnswer, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { isObject, parseJson } from './json.ts'
import { anonymous } from './mcp.ts'
import type { Verdict } from './mcp.ts'
import type { AccessToken, Grant, OAuthEnv } from './oauth-env.ts'
import { isLive } from './oauth-tokens.ts'
import { fetchUser } from './oauth-upstream.ts'
import type { User } from './types.ts'

/** Checks the bearer token of a request to /mcp. */
export async function checkBearer(env: OAuthEnv, exchange: Exchange): Promise<Verdict> {
  const { on } = env
  const header = exchange.headers.authorization
  const match = /^bearer +(\S+)$/i.exec(header ?? '')
  const value =
    match?.[1] ??
    (on('query-token-accepted') ? exchange.query.get('access_token') : null) ??
    undefined
  if (value === undefined) {
    const message = parseJson(exchange.body)
    if (on('tool-list-without-token') && isObject(message) && message['method'] === 'tools/list') {
      return { user: anonymous }
    }
    return { refusal: refusal(env, 'missing') }
  }
  const token = findToken(env, value)
  if (token !== undefined) {
    const live = isLive(env, token) || (on('old-tokens-accepted') && !token.revoked)
    if (!live) return { refusal: refusal(env, token.revoked ? 'unknown' : 'expired') }
    return admitted(env, token.user, token.scopes)
  }
  const grant = otherGrant(env, value)
  if (grant !== undefined) return admitted(env, grant.user, grant.scopes)
  if (on('upstream-token-accepted')) {
    try {
      return { user: await fetchUser(env, value) }
    } catch {
      return { refusal: refusal(env, 'unknown') }
    }
  }
  return { refusal: refusal(env, 'unknown') }
}

function findToken(env: OAuthEnv, value: string): AccessToken | undefined {
  const { on } = env
  const { accessTokens } = env.OAUTH_KV
  const exact = accessTokens.get(value)
  if (exact !== undefined) return exact
  return [...accessTokens.values()].find(
    (token) =>
      (on('token-case-ignored') && token.value.toLowerCase() === value.toLowerCase()) ||
      (on('token-start-compared') && token.value.slice(0, 16) === value.slice(0, 16)),
  )
}

/** The grant of a value that is not an access token; under switches only. */
function otherGrant(env: OAuthEnv, value: string): Grant | undefined {
  const { on, OAUTH_KV: store } = env
  if (on('refresh-token-as-bearer')) {
    const token = store.refreshTokens.get(value)
    if (token !== undefined && !token.grant.revoked) return token.grant
  }
  return on('code-as-bearer') ? store.codes.get(value)?.grant : undefined
}

function admitted(env: OAuthEnv, owner: User, scopes: readonly string[]): Verdict {
  const { on, OAUTH_KV: store } = env
  let user = owner
  if (on('first-user-kept')) user = store.firstUser ?? user
  if (on('latest-user-shown')) user = store.latestUser ?? user
  const sessionProperties = {
    identity_provider: env.pattern === 'oauth-proxy' ? 'upstream' : 'local',
    granted_scopes: scopes.join(' '),
  }
  const { accessToken } = user
  return on('user-looked-up-each-call') && accessToken !== undefined
    ? { user, sessionProperties, lookUp: () => fetchUser(env, accessToken) }
    : { user, sessionProperties }
}

type Reason = 'missing' | 'expired' | 'unknown'

function refusal(env: OAuthEnv, reason: Reason): Answer {
  const { on } = env
  let status = 401
  if (reason === 'missing' && on('missing-token-403')) status = 403
  if (reason === 'missing' && on('missing-token-400')) status = 400
  if (reason === 'expired' && on('old-token-403')) status = 403
  if (reason === 'unknown' && on('unknown-token-403')) status = 403
  const text = reason === 'missing' ? 'Unauthorized' : 'Invalid token'
  const answer = on('refusal-as-json')
    ? jsonAnswer(status, {
        error: reason === 'missing' ? 'unauthorized' : 'invalid_token',
        error_description: text,
      })
    : textAnswer(status, text)
  if (on('bearer-challenge-missing')) return answer
  return withHeaders(answer, { 'WWW-Authenticate': challenges(env, reason) })
}

function challenges(env: OAuthEnv, reason: Reason): string | readonly string[] {
  const { on } = env
  const parts: string[] = []
  if (on('challenge-names-scope')) parts.push('realm="desk"', `scope="${env.scopes.join(' ')}"`)
  if (reason !== 'missing') {
    parts.push('error="invalid_token"', 'error_description="The token is not valid"')
  }
  if (!on('no-resource-metadata-in-challenge') && !on('no-discovery-documents')) {
    const path = on('resource-metadata-dead')
      ? '/oauth/resource-metadata'
      : '/.well-known/oauth-protected-resource/mcp'
    parts.push(`resource_metadata="${env.origin}${path}"`)
  }
  const bearer = ['Bearer', parts.join(', ')].join(' ').trim()
  return on('two-challenges') ? ['DPoP algs="ES256"', bearer] : bearer
}
