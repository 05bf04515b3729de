import { mediaType, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange } from './http.ts'
import { isObject, parseJson } from './json.ts'
import { authenticateClient, endpointError, repeatedName, valueOf } from './oauth-clients.ts'
import { isConfidential } from './oauth-env.ts'
import type { Client, Code, Grant, OAuthEnv } from './oauth-env.ts'
import { refresh } from './oauth-refresh.ts'
import {
  accessLifetime,
  issueAccessToken,
  issueRefreshToken,
  refreshAllowed,
  revokeGrant,
  tokenAnswer,
} from './oauth-tokens.ts'
import { randomValue, s256 } from './oauth-values.ts'
import type { User } from './types.ts'

const formType = 'application/x-www-form-urlencoded'
const knownParameters = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'client_id',
  'client_secret',
  'refresh_token',
  'scope',
  'resource',
]

/** The token endpoint. */
export function tokenEndpoint(env: OAuthEnv, exchange: Exchange): Answer {
  const { on } = env
  if (on('token-rate-limit') && tooManyRequests(env)) {
    return withHeaders(textAnswer(429, 'Too many requests'), { 'Retry-After': '1' })
  }
  const byGet = exchange.method === 'GET' && on('token-by-get')
  if (exchange.method !== 'POST' && !byGet) {
    return withHeaders(textAnswer(405, 'Method not allowed'), { Allow: 'POST' })
  }
  const form = byGet ? exchange.query : readForm(env, exchange)
  if (form === undefined) {
    const status = on('form-type-415') ? 415 : 400
    return endpointError(env, status, 'invalid_request', 'The content type is not right')
  }
  const repeated = on('repeated-token-parameters') ? undefined : repeatedName(form, ['resource'])
  if (repeated !== undefined) {
    return endpointError(env, 400, 'invalid_request', `${repeated} is repeated`)
  }
  const unknown = [...form.keys()].find((name) => !knownParameters.includes(name))
  if (unknown !== undefined && on('unknown-token-parameters-refused')) {
    return endpointError(env, 400, 'invalid_request', `${unknown} is not known`)
  }
  return answerGrant(env, exchange, form)
}

function readForm(env: OAuthEnv, exchange: Exchange): URLSearchParams | undefined {
  if (env.on('token-json-only')) {
    const body = mediaType(exchange) === 'application/json' ? parseJson(exchange.body) : undefined
    return isObject(body)
      ? new URLSearchParams(
          Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
        )
      : undefined
  }
  return mediaType(exchange) === formType ? new URLSearchParams(exchange.body) : undefined
}

function tooManyRequests(env: OAuthEnv): boolean {
  const times = env.OAUTH_KV.tokenRequestTimes
  const now = Date.now()
  times.push(now)
  while (times[0] !== undefined && times[0] <= now - 1000) times.shift()
  return times.length > 30
}

function answerGrant(env: OAuthEnv, exchange: Exchange, form: URLSearchParams): Answer {
  const { on } = env
  const type =
    valueOf(form, 'grant_type') ??
    (on('grant-type-optional') && form.has('code') ? 'authorization_code' : undefined)
  const secretOptional = type === 'refresh_token' && on('refresh-without-secret')
  const authentication = authenticateClient(env, exchange, form, { secretOptional })
  if ('refusal' in authentication) return authentication.refusal
  const { client } = authentication
  switch (type) {
    case undefined:
      return endpointError(env, 400, 'invalid_request', 'grant_type is missing')
    case 'authorization_code':
      return exchangeCode(env, client, form)
    case 'refresh_token':
      return refresh(env, client, form)
    case 'password':
      if (on('password-grant-served')) return passwordGrant(env, client, form)
      break
    case 'client_credentials':
      if (on('client-credentials-for-public')) {
        return directGrant(env, client, { login: client.id, email: '' })
      }
      break
  }
  const error = on('grant-type-error-wrong') ? 'invalid_grant' : 'unsupported_grant_type'
  return endpointError(env, 400, error, 'The grant type is not supported')
}

function exchangeCode(env: OAuthEnv, client: Client, form: URLSearchParams): Answer {
  const { on, OAUTH_KV: store } = env
  const value = valueOf(form, 'code')
  if (value === undefined) {
    return endpointError(env, 400, 'invalid_request', 'code is missing')
  }
  const code = store.codes.get(value)
  const fault = code === undefined ? 'The code is not known' : codeFault(env, client, code, form)
  if (code === undefined || fault !== undefined) {
    const error = on('bad-code-error-wrong') ? 'invalid_request' : 'invalid_grant'
    return endpointError(env, 400, error, fault ?? '')
  }
  const verifier = valueOf(form, 'code_verifier')
  if (code.challenge !== undefined && verifier === undefined && !on('verifier-optional')) {
    const error = on('missing-verifier-invalid-grant') ? 'invalid_grant' : 'invalid_request'
    return endpointError(env, 400, error, 'code_verifier is missing')
  }
  if (!verifierAccepted(env, client, code, verifier)) {
    if (on('failed-attempt-burns-code')) store.codes.delete(code.value)
    return endpointError(env, 400, 'invalid_grant', 'code_verifier does not match')
  }
  const resources = form.getAll('resource').filter((resource) => resource !== '')
  if (resources.some((resource) => resource !== code.grant.resource)) {
    return endpointError(env, 400, 'invalid_target', 'The resource was not granted')
  }
  code.usedAt ??= env.now()
  client.exchanges += 1
  const access = issueAccessToken(env, code.grant, code.grant.scopes, accessLifetime(env))
  const refreshToken = refreshAllowed(env, client, code.grant)
    ? issueRefreshToken(env, code.grant)
    : undefined
  return tokenAnswer(env, access, refreshToken, false)
}

/** What is wrong with a code, apart from the verifier. */
function codeFault(
  env: OAuthEnv,
  client: Client,
  code: Code,
  form: URLSearchParams,
): string | undefined {
  const { on } = env
  if (code.grant.clientId !== client.id && !on('code-of-other-client')) {
    return 'The code belongs to another client'
  }
  if (code.usedAt !== undefined && !reusable(env, code.usedAt)) {
    if (!on('replayed-code-keeps-tokens')) revokeGrant(env, code.grant)
    return 'The code was used before'
  }
  if (env.now() >= code.expiresAt && !on('code-never-expires')) {
    return 'The code is too old'
  }
  const redirectUri = valueOf(form, 'redirect_uri') ?? code.redirectUri
  if (redirectUri !== code.redirectUri && !on('token-redirect-uri-unchecked')) {
    return 'redirect_uri is not that of the authorization request'
  }
  return undefined
}

function reusable(env: OAuthEnv, usedAt: number): boolean {
  if (env.on('code-reusable')) return true
  return env.on('code-reusable-within-second') && env.now() - usedAt < 1000
}

function verifierAccepted(
  env: OAuthEnv,
  client: Client,
  code: Code,
  verifier: string | undefined,
): boolean {
  const { on } = env
  const { challenge } = code
  // A verifier without a challenge is a sign of a downgrade attack.
  if (challenge === undefined) return verifier === undefined
  if (verifier === undefined) return on('verifier-optional')
  if (on('verifier-not-checked')) return true
  if (on('confidential-verifier-unchecked') && isConfidential(client)) return true
  if (on('second-exchange-verifier-unchecked') && client.exchanges > 0) return true
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  if (code.challengeMethod === 'plain') return verifier === challenge
  if (s256(verifier) === challenge) return true
  if (on('challenge-as-verifier') && verifier === challenge) return true
  if (on('verifier-start-compared') && s256(verifier.slice(0, 43)) === challenge) return true
  return (
    on('verifier-case-ignored') &&
    (s256(verifier).toLowerCase() === challenge.toLowerCase() ||
      s256(verifier.toLowerCase()) === challenge)
  )
}

function passwordGrant(env: OAuthEnv, client: Client, form: URLSearchParams): Answer {
  const account = env.accounts.find(
    (one) => one.username === form.get('username') && one.password === form.get('password'),
  )
  return account === undefined
    ? endpointError(env, 400, 'invalid_grant', 'The password is wrong')
    : directGrant(env, client, account.user)
}

/** A grant without an authorization request; under switches only. */
function directGrant(env: OAuthEnv, client: Client, user: User): Answer {
  const grant: Grant = {
    id: randomValue(12),
    clientId: client.id,
    scopes: client.scopes,
    scopesRequested: false,
    resource: env.mcpUrl,
    user,
    revoked: false,
    refreshes: 0,
  }
  const access = issueAccessToken(env, grant, grant.scopes, accessLifetime(env))
  return tokenAnswer(env, access, undefined, false)
}
