import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Grant, OAuthEnv } from './oauth-env.ts'
import { seconds } from './oauth-env.ts'

export function randomValue(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

export function s256(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function nextNumber(env: OAuthEnv): string {
  env.OAUTH_KV.counter += 1
  return String(env.OAUTH_KV.counter)
}

export function newCode(env: OAuthEnv): string {
  if (env.on('codes-counted')) return nextNumber(env)
  if (env.on('odd-code-alphabet')) return `c+/=&%41?#"~'${randomValue(24)};:@!`
  return randomValue()
}

export function newRefreshToken(env: OAuthEnv): string {
  if (env.on('refresh-tokens-short')) return randomBytes(3).toString('hex')
  if (env.on('odd-refresh-alphabet')) return `r +/=&%20${randomValue(24)}~!$'()*,;:@ .`
  return randomValue()
}

export function newAccessToken(env: OAuthEnv, grant: Grant, lifetime: number): string {
  if (env.on('upstream-token-as-token') && grant.user.accessToken !== undefined) {
    return grant.user.accessToken
  }
  if (env.on('access-tokens-counted')) return nextNumber(env)
  if (env.on('odd-token-alphabet')) return `-._~+/${randomValue(24)}==`
  if (env.on('long-access-tokens')) return randomValue(1125)
  if (env.on('jwt-access-tokens')) return signedToken(env, grant, lifetime)
  return randomValue()
}

/** A JWT in the form of RFC 9068. The server itself looks its tokens up and needs no key. */
function signedToken(env: OAuthEnv, grant: Grant, lifetime: number): string {
  const issuedAt = seconds(env.now())
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = encode({ alg: 'HS256', typ: 'at+jwt' })
  const payload = encode({
    iss: env.origin,
    sub: grant.user.login,
    aud: grant.resource,
    client_id: grant.clientId,
    scope: grant.scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + lifetime,
    jti: randomValue(16),
  })
  const signature = createHmac('sha256', randomBytes(32)).update(`${header}.${payload}`)
  return `${header}.${payload}.${signature.digest('base64url')}`
}

export function newClientId(env: OAuthEnv): string {
  return env.on('odd-client-ids')
    ? `https://desk.example/c?n=1&x=%2B+${randomValue(9)}`
    : randomValue(18)
}

export function newClientSecret(env: OAuthEnv): string {
  return env.on('odd-client-ids') ? `s:%3A+/&= ${randomValue(24)}` : randomValue()
}
