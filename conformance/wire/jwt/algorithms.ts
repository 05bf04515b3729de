import { attackersKey } from './attacker.ts'
import { encoded } from './encoding.ts'
import { byAttacker, named, strange, without, type Forged, type Making } from './making.ts'

/** Tokens of another algorithm than the server's, or of none. */
export function ofAlgorithm({ header, claims, own }: Making): Forged[] {
  const { pem } = attackersKey()
  const zeros = Buffer.alloc(64).toString('base64url')
  return named('algorithm', [
    ['of RS256, signed with a key of its own', byAttacker({ ...header, alg: 'RS256' }, claims)],
    [
      'of which the MAC is keyed with a public key',
      strange({ ...header, alg: 'HS256' }, claims, pem),
    ],
    [
      'of ES256 with a signature of zeros',
      `${encoded({ ...header, alg: 'ES256' })}.${encoded(claims)}.${zeros}`,
    ],
    ['of HS256 with the MAC of HS512', own({ ...header, alg: 'HS256' }, claims, 'sha512')],
    ['with alg hs256', own({ ...header, alg: 'hs256' }, claims)],
    ['without alg', own(without(header, 'alg'), claims)],
    ['with alg in an array', own({ ...header, alg: ['HS256'] }, claims)],
  ])
}
