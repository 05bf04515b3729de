import type { Json } from '../../engine/index.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodePart } from './encoding.ts'

/** What a server of pattern 2 verifies by. */
export interface Verification {
  secret: string
  issuer: string | undefined
  audience: string | undefined
  /** Seconds since the epoch. */
  now: number
}

/**
 * What is wrong with a token, as a correct server sees it that takes HS256 only; undefined where nothing is. The mint asks this of all that it makes: no
 * token goes out as a forgery that a server would have to take.
 */
export function findTokenFlaw(
  token: string,
  { secret, issuer, audience, now }: Verification,
): string | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return `it has ${parts.length} parts`
  const [head = '', body = '', mark = ''] = parts
  const [header, claims] = [decodePart(head), decodePart(body)]
  if (header === undefined) return 'its header is no object'
  if (claims === undefined) return 'its payload is no object'
  if (header['alg'] !== 'HS256') return 'its algorithm is another'
  if ('crit' in header) return 'it has critical extensions'
  const due = createHmac('sha256', secret).update(`${head}.${body}`).digest()
  const given = Buffer.from(mark, 'base64url')
  if (given.length !== due.length || !timingSafeEqual(given, due)) return 'its signature is another'
  return findClaimFlaw(claims, { issuer, audience, now })
}

function findClaimFlaw(
  { iss, aud, exp, nbf }: Json,
  { issuer, audience, now }: Omit<Verification, 'secret'>,
): string | undefined {
  if (issuer !== undefined && iss !== issuer) return 'its issuer is another'
  if (audience !== undefined && !(Array.isArray(aud) ? aud : [aud]).includes(audience))
    return 'its audience is another'
  if (exp !== undefined && !(typeof exp === 'number' && now < exp)) return 'it has expired'
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now)) return 'it has not begun'
  return undefined
}
