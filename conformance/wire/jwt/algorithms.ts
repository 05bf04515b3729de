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

/** Tokens with another algorithm than the server's, or with none. */
export function forgeAlgorithms({ header, claims, signWithSecret }: ForgeryInput): Forged[] {
  const { pem } = attackersKey()
  const zeros = Buffer.alloc(64).toString('base64url')
  return listForged('algorithm', [
    [
      "of RS256, signed with the attacker's key",
      signWithAttackersKey({ ...header, alg: 'RS256' }, claims),
    ],
    [
      'of which the MAC is keyed with a public key',
      signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, pem),
    ],
    [
      'of ES256 with a signature of zeros',
      `${encodePart({ ...header, alg: 'ES256' })}.${encodePart(claims)}.${zeros}`,
    ],
    [
      'of HS256 with the MAC of HS512',
      signWithSecret({ ...header, alg: 'HS256' }, claims, 'sha512'),
    ],
    ['with alg hs256', signWithSecret({ ...header, alg: 'hs256' }, claims)],
    ['without alg', signWithSecret(without(header, 'alg'), claims)],
    ['with alg in an array', signWithSecret({ ...header, alg: ['HS256'] }, claims)],
  ])
}
