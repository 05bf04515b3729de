import { SignJWT } from 'jose'
import type { JwtPart } from './rules.ts'

/** The lifetime of a token in seconds. It is the longest recommended lifetime. */
const lifetime = 3600

/**
 * Makes a token that a server with these parameters accepts. `now` is in seconds since the epoch.
 * `claims` replace the default claims.
 */
export function tokenOf(
  {
    key,
    issuer,
    audience,
    now,
  }: { key: Uint8Array; issuer: string; audience: string; now: number },
  claims: JwtPart = {},
): Promise<string> {
  const issued = Math.floor(now)
  return new SignJWT({
    iss: issuer,
    aud: audience,
    sub: 'ada',
    email: 'ada@shelf.example',
    iat: issued,
    exp: issued + lifetime,
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(key)
}
