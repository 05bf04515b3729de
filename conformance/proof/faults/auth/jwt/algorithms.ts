import {
  createPublicKey,
  verify,
  X509Certificate,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { isObject } from '../../../../../mocks/stateful/http/body.ts'
import type { JwtPart } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault } from '../building.ts'
import { holds, takes, type Parsed } from './opening.ts'

/** Whether a token was signed with an RSA key. */
export const signedBy = ({ input, mark }: Parsed, key: KeyObject): boolean =>
  verify('RSA-SHA256', Buffer.from(input), key, Buffer.from(mark, 'base64url'))

/** Whether a token was signed with a JSON Web Key. */
export function signedByJwk(token: Parsed, jwk: unknown): boolean {
  if (!isObject(jwk)) return false
  if (jwk['kty'] === 'oct')
    return typeof jwk['k'] === 'string' && holds(token, Buffer.from(jwk['k'], 'base64url'))
  return (
    token.header['alg'] === 'RS256' &&
    signedBy(token, createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }))
  )
}

const asks = ({ header: { alg } }: { header: JwtPart }, wanted: string): boolean => alg === wanted

/** Algorithms that are none of the server's. */
export const algorithms = [
  fault(
    'rs256-unverified',
    'Takes tokens of RS256 as they come.',
    ['AUTH-JWT-10'],
    takes((token) => asks(token, 'RS256')),
  ),
  fault(
    'signature-of-zeros',
    'Takes a signature of ES256 that consists of zeros.',
    ['AUTH-JWT-10'],
    takes(
      (token) =>
        asks(token, 'ES256') && Buffer.from(token.mark, 'base64url').every((byte) => byte === 0),
    ),
  ),
  fault(
    'mac-of-any-length',
    'Takes longer MACs under the name of the short one.',
    ['AUTH-JWT-10'],
    takes((token, secret) => asks(token, 'HS256') && holds(token, secret, 'sha512')),
  ),
  fault(
    'alg-in-any-case',
    'Takes the names of algorithms in any case.',
    ['AUTH-JWT-10'],
    takes((token, secret) => asks(token, 'hs256') && holds(token, secret)),
  ),
  fault(
    'alg-left-out',
    'Takes a token that names no algorithm for one of HS256.',
    ['AUTH-JWT-10'],
    takes((token, secret) => !('alg' in token.header) && holds(token, secret)),
  ),
  fault(
    'alg-in-an-array',
    'Takes an array for the algorithm that is in it.',
    ['AUTH-JWT-10'],
    takes(
      (token, secret) =>
        Array.isArray(token.header['alg']) &&
        String(token.header['alg']) === 'HS256' &&
        holds(token, secret),
    ),
  ),
  fault(
    'alg-unread',
    'Computes HS256 whatever the header of a token says.',
    ['AUTH-JWT-10', 'AUTH-JWT-09'],
    takes(
      (token, secret) => token.count === 3 && !('crit' in token.header) && holds(token, secret),
    ),
  ),
]

const file = /(^|\/)dev\/null$/
const fetched = async (url: unknown): Promise<string> =>
  (typeof url === 'string'
    ? (await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined))?.text()
    : undefined) ?? ''

function keysIn(text: string): unknown[] {
  try {
    const { keys } = JSON.parse(text) as { keys: unknown[] }
    return keys
  } catch {
    return []
  }
}

/** Keys that tokens bring along, and places to which they lead. */
export const keys = [
  fault(
    'kid-is-a-path',
    'Reads its key from the file that kid leads to.',
    ['AUTH-JWT-11'],
    takes(
      (token) =>
        file.test(String(token.header['kid'])) &&
        String(token.header['kid']).startsWith('..') &&
        holds(token, ''),
    ),
  ),
  fault(
    'kid-is-a-file',
    'Reads its key from the file that kid names.',
    ['AUTH-JWT-11'],
    takes(
      (token) =>
        file.test(String(token.header['kid'])) &&
        String(token.header['kid']).startsWith('/') &&
        holds(token, ''),
    ),
  ),
  fault(
    'kid-in-a-query',
    'Asks its database for the key with kid in the middle of the query.',
    ['AUTH-JWT-11'],
    takes((token) => {
      const selected = /' UNION SELECT '([^']+)'/i.exec(String(token.header['kid']))?.[1]
      return selected !== undefined && holds(token, selected)
    }),
  ),
  fault(
    'jwk-of-rsa-believed',
    'Verifies tokens of RS256 with the key that they bring.',
    ['AUTH-JWT-11'],
    takes((token) => asks(token, 'RS256') && signedByJwk(token, token.header['jwk'])),
  ),
  fault(
    'jwk-of-a-secret-believed',
    'Verifies tokens of HS256 with the key that they bring.',
    ['AUTH-JWT-11'],
    takes((token) => asks(token, 'HS256') && signedByJwk(token, token.header['jwk'])),
  ),
  fault(
    'x5c-believed',
    'Verifies tokens with the certificate that they bring.',
    ['AUTH-JWT-11'],
    takes((token) => {
      const [first] = Array.isArray(token.header['x5c']) ? (token.header['x5c'] as unknown[]) : []
      return (
        typeof first === 'string' &&
        signedBy(token, new X509Certificate(Buffer.from(first, 'base64')).publicKey)
      )
    }),
  ),
  fault(
    'jku-fetched',
    'Verifies tokens with the keys that it finds where they point.',
    ['AUTH-JWT-11'],
    takes(async (token) => {
      const all = 'jku' in token.header ? keysIn(await fetched(token.header['jku'])) : []
      return all.some(
        (jwk) => isObject(jwk) && jwk['kid'] === token.header['kid'] && signedByJwk(token, jwk),
      )
    }),
  ),
  fault(
    'jku-looked-at',
    'Looks where tokens point, and trusts nothing that is there.',
    ['AUTH-JWT-11'],
    (hit) =>
      takes(async ({ header }) => {
        if (!('jku' in header)) return false
        hit()
        await fetched(header['jku'])
        return false
      })(hit),
  ),
  fault(
    'x5u-fetched',
    'Verifies tokens with the certificate that it finds where they point.',
    ['AUTH-JWT-11'],
    takes(async (token) => {
      const pem = 'x5u' in token.header ? await fetched(token.header['x5u']) : ''
      return pem.includes('CERTIFICATE') && signedBy(token, new X509Certificate(pem).publicKey)
    }),
  ),
]
