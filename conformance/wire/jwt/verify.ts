import type { Json } from '../../engine/index.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodePart } from './encoding.ts'

/** The values with which a server of the authentication pattern `jwt` verifies tokens. */
export interface Verification {
  secret: string
  issuer: string | undefined
  audience: string | undefined
  /** Seconds since the epoch. */
  now: number
}

/**
 * Returns why a conforming server that accepts only HS256 refuses a token; undefined if the token
 * is valid. `mint.ts` calls this function for every forged token, so that no valid token is sent as
 * a forgery.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-7.2
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-5.2
 */
export function findTokenFlaw(
  token: string,
  { secret, issuer, audience, now }: Verification,
): string | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return `it has ${parts.length} parts`
  const [head = '', body = '', signature = ''] = parts
  const [header, claims] = [decodePart(head), decodePart(body)]
  if (header === undefined) return 'its header is not an object'
  if (claims === undefined) return 'its payload is not an object'
  if (header['alg'] !== 'HS256') return 'its algorithm is not HS256'
  if ('crit' in header) return 'it has critical extensions'
  const due = createHmac('sha256', secret).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== due.length || !timingSafeEqual(given, due)) return 'its signature is wrong'
  return findClaimFlaw(claims, { issuer, audience, now })
}

function findClaimFlaw(
  { iss, aud, exp, nbf }: Json,
  { issuer, audience, now }: Omit<Verification, 'secret'>,
): string | undefined {
  if (issuer !== undefined && iss !== issuer) return 'its issuer is wrong'
  if (audience !== undefined && !(Array.isArray(aud) ? aud : [aud]).includes(audience))
    return 'its audience is wrong'
  if (exp !== undefined && !(typeof exp === 'number' && now < exp)) return 'it has expired'
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now)) return 'it is not valid yet'
  return undefined
}
