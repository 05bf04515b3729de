import { attackersKey } from './attacker.ts'
import { encodePart } from './encoding.ts'
import {
  signWithAttackersKey,
  listForged,
  signWithAttackersSecret,
  without,
  type Forged,
  type ForgeryInput,
} from './forgery.ts'

/**
 * Tokens that have a wrong, malformed or missing `alg`, or that are signed with a key for another
 * algorithm.
 */
export function forgeAlgorithms({ header, claims, signWithSecret }: ForgeryInput): Forged[] {
  const { pem } = attackersKey()
  const zeros = Buffer.alloc(64).toString('base64url')
  return listForged('algorithm', [
    [
      "with alg RS256, signed with the attacker's key",
      signWithAttackersKey({ ...header, alg: 'RS256' }, claims),
    ],
    [
      'whose MAC is keyed with a public key',
      signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, pem),
    ],
    [
      'with alg ES256 and a signature of zeros',
      `${encodePart({ ...header, alg: 'ES256' })}.${encodePart(claims)}.${zeros}`,
    ],
    [
      'with alg HS256 and the MAC of HS512',
      signWithSecret({ ...header, alg: 'HS256' }, claims, 'sha512'),
    ],
    ['with alg hs256', signWithSecret({ ...header, alg: 'hs256' }, claims)],
    ['without alg', signWithSecret(without(header, 'alg'), claims)],
    ['with alg in an array', signWithSecret({ ...header, alg: ['HS256'] }, claims)],
  ])
}
