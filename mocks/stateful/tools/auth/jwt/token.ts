import { SignJWT } from 'jose'
import type { JwtPart } from './rules.ts'

/** For how long a printed token is good, in seconds: the longest of what is recommended. */
const lifetime = 3600

/** A token that a server with these parameters takes. `now` is in seconds since the epoch; a claim that is given replaces one of its name. */
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
