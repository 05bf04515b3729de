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
import { isMac, acceptAlso, type ParsedToken } from './tokens.ts'

/** Whether a token's signature is valid for RS256 and this key. Ignores the token's alg. */
export const signedBy = ({ input, signature }: ParsedToken, key: KeyObject): boolean =>
  verify('RSA-SHA256', Buffer.from(input), key, Buffer.from(signature, 'base64url'))

/**
 * Whether the signature is valid for a JSON Web Key: for HS256 if the key is symmetric, otherwise
 * for RS256.
 */
export function signedByJwk(token: ParsedToken, jwk: unknown): boolean {
  if (!isObject(jwk)) return false
  if (jwk['kty'] === 'oct')
    return typeof jwk['k'] === 'string' && isMac(token, Buffer.from(jwk['k'], 'base64url'))
  return (
    token.header['alg'] === 'RS256' &&
    signedBy(token, createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }))
  )
}

const hasAlg = ({ header: { alg } }: { header: JwtPart }, wanted: string): boolean => alg === wanted

/**
 * Faults in which tokens are accepted although their algorithm, or their `alg`, is not exactly
 * HS256.
 */
export const algorithms = [
  fault(
    'rs256-unverified',
    'Accepts RS256 tokens without verifying them.',
    ['AUTH-JWT-10'],
    acceptAlso((token) => hasAlg(token, 'RS256')),
  ),
  fault(
    'signature-of-zeros',
    'Accepts an ES256 signature of zeros.',
    ['AUTH-JWT-10'],
    acceptAlso(
      (token) =>
        hasAlg(token, 'ES256') &&
        Buffer.from(token.signature, 'base64url').every((byte) => byte === 0),
    ),
  ),
  fault(
    'mac-of-any-length',
    'Accepts HMAC with SHA-512 in tokens whose alg is HS256.',
    ['AUTH-JWT-10'],
    acceptAlso((token, secret) => hasAlg(token, 'HS256') && isMac(token, secret, 'sha512')),
  ),
  fault(
    'alg-in-any-case',
    'Ignores case in alg, so that it accepts hs256.',
    ['AUTH-JWT-10'],
    acceptAlso((token, secret) => hasAlg(token, 'hs256') && isMac(token, secret)),
  ),
  fault(
    'alg-missing',
    'Verifies a token that has no alg as if its alg were HS256.',
    ['AUTH-JWT-10'],
    acceptAlso((token, secret) => !('alg' in token.header) && isMac(token, secret)),
  ),
  fault(
    'alg-in-an-array',
    'Accepts an array that contains HS256 as alg.',
    ['AUTH-JWT-10'],
    acceptAlso(
      (token, secret) =>
        Array.isArray(token.header['alg']) &&
        String(token.header['alg']) === 'HS256' &&
        isMac(token, secret),
    ),
  ),
  fault(
    'alg-ignored',
    'Verifies with HS256 regardless of alg.',
    ['AUTH-JWT-10', 'AUTH-JWT-09'],
    acceptAlso(
      (token, secret) => token.count === 3 && !('crit' in token.header) && isMac(token, secret),
    ),
  ),
]

const nullDevice = /(^|\/)dev\/null$/
const fetchText = async (url: unknown): Promise<string> =>
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

/** Faults of servers that verify a token with a key that the token itself contains or refers to. */
export const keys = [
  fault(
    'kid-is-a-path',
    'Reads its key from the relative path in kid.',
    ['AUTH-JWT-11'],
    acceptAlso(
      (token) =>
        nullDevice.test(String(token.header['kid'])) &&
        String(token.header['kid']).startsWith('..') &&
        isMac(token, ''),
    ),
  ),
  fault(
    'kid-is-a-file',
    'Reads its key from the absolute path in kid.',
    ['AUTH-JWT-11'],
    acceptAlso(
      (token) =>
        nullDevice.test(String(token.header['kid'])) &&
        String(token.header['kid']).startsWith('/') &&
        isMac(token, ''),
    ),
  ),
  fault(
    'kid-in-a-query',
    'Inserts kid into a database query unescaped.',
    ['AUTH-JWT-11'],
    acceptAlso((token) => {
      const selected = /' UNION SELECT '([^']+)'/i.exec(String(token.header['kid']))?.[1]
      return selected !== undefined && isMac(token, selected)
    }),
  ),
  fault(
    'jwk-of-rsa-trusted',
    'Verifies RS256 tokens with the jwk in their header.',
    ['AUTH-JWT-11'],
    acceptAlso((token) => hasAlg(token, 'RS256') && signedByJwk(token, token.header['jwk'])),
  ),
  fault(
    'jwk-of-a-secret-trusted',
    'Verifies HS256 tokens with the jwk in their header.',
    ['AUTH-JWT-11'],
    acceptAlso((token) => hasAlg(token, 'HS256') && signedByJwk(token, token.header['jwk'])),
  ),
  fault(
    'x5c-trusted',
    'Verifies tokens with the certificate in their header.',
    ['AUTH-JWT-11'],
    acceptAlso((token) => {
      const [first] = Array.isArray(token.header['x5c']) ? (token.header['x5c'] as unknown[]) : []
      return (
        typeof first === 'string' &&
        signedBy(token, new X509Certificate(Buffer.from(first, 'base64')).publicKey)
      )
    }),
  ),
  fault(
    'jku-fetched',
    'Verifies tokens with the keys at the URL in jku.',
    ['AUTH-JWT-11'],
    acceptAlso(async (token) => {
      const all = 'jku' in token.header ? keysIn(await fetchText(token.header['jku'])) : []
      return all.some(
        (jwk) => isObject(jwk) && jwk['kid'] === token.header['kid'] && signedByJwk(token, jwk),
      )
    }),
  ),
  fault(
    'jku-requested',
    'Requests the URL in jku, although it does not use the keys there.',
    ['AUTH-JWT-11'],
    (hit) =>
      acceptAlso(async ({ header }) => {
        if (!('jku' in header)) return false
        hit()
        await fetchText(header['jku'])
        return false
      })(hit),
  ),
  fault(
    'x5u-fetched',
    'Verifies tokens with the certificate at the URL in x5u.',
    ['AUTH-JWT-11'],
    acceptAlso(async (token) => {
      const pem = 'x5u' in token.header ? await fetchText(token.header['x5u']) : ''
      return pem.includes('CERTIFICATE') && signedBy(token, new X509Certificate(pem).publicKey)
    }),
  ),
]
