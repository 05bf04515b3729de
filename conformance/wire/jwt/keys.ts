import { attackersKey, attackersKid, attackersSecret, attackersSecretJwk } from './attacker.ts'
import {
  signWithAttackersKey,
  listForged,
  signWithAttackersSecret,
  type Forged,
  type ForgeryInput,
} from './forgery.ts'

/**
 * Tokens that contain the key to verify them with, or its URL. Each is signed by the attacker,
 * never with the server's secret.
 */
export function forgeKeys({ header: known, claims, keysUrl }: ForgeryInput): Forged[] {
  const header = { ...known, alg: 'HS256' }
  const rsa = { ...known, alg: 'RS256' }
  const { jwk, x5c } = attackersKey()
  const at = (path: string) => `${keysUrl}/${path}`
  return listForged('key', [
    [
      'with a kid that leads to an empty file',
      signWithAttackersSecret({ ...header, kid: '../../../../../../../../dev/null' }, claims, ''),
    ],
    [
      'with a kid that names an empty file',
      signWithAttackersSecret({ ...header, kid: '/dev/null' }, claims, ''),
    ],
    [
      'with a kid that injects SQL',
      signWithAttackersSecret(
        { ...header, kid: `none' UNION SELECT '${attackersSecret}' -- ` },
        claims,
      ),
    ],
    ['with its own RSA key in jwk', signWithAttackersKey({ ...rsa, jwk }, claims)],
    [
      'with its own secret in jwk',
      signWithAttackersSecret({ ...header, jwk: attackersSecretJwk() }, claims),
    ],
    ['with its own certificate in x5c', signWithAttackersKey({ ...rsa, x5c: [x5c] }, claims)],
    ...(keysUrl === undefined
      ? []
      : ([
          [
            'with a jku where its RSA key is',
            signWithAttackersKey({ ...rsa, kid: attackersKid, jku: at('jwks.json') }, claims),
          ],
          [
            'with a jku where its secret is',
            signWithAttackersSecret(
              { ...header, kid: `${attackersKid}-secret`, jku: at('jwks.json') },
              claims,
            ),
          ],
          [
            'with an x5u where its certificate is',
            signWithAttackersKey({ ...rsa, x5u: at('cert.pem') }, claims),
          ],
        ] as const)),
  ])
}
