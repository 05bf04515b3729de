import { attackersKey, attackersKid, attackersSecret, attackersSecretJwk } from './attacker.ts'
import {
  signWithAttackersKey,
  listForged,
  signWithAttackersSecret,
  type Forged,
  type ForgeryInput,
} from './forgery.ts'

/**
 * Tokens whose header contains the key with which to verify them, or refers to that key. Each token
 * is signed by the attacker, never with the server's secret.
 */
export function forgeKeys({ header: known, claims, keysUrl }: ForgeryInput): Forged[] {
  const header = { ...known, alg: 'HS256' }
  const rsa = { ...known, alg: 'RS256' }
  const { jwk, x5c } = attackersKey()
  const urlOf = (path: string) => `${keysUrl}/${path}`
  return listForged('key', [
    [
      'with a relative path to an empty file in kid',
      signWithAttackersSecret({ ...header, kid: '../../../../../../../../dev/null' }, claims, ''),
    ],
    [
      'with an absolute path to an empty file in kid',
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
            'with the URL of its RSA key in jku',
            signWithAttackersKey({ ...rsa, kid: attackersKid, jku: urlOf('jwks.json') }, claims),
          ],
          [
            'with the URL of its secret in jku',
            signWithAttackersSecret(
              { ...header, kid: `${attackersKid}-secret`, jku: urlOf('jwks.json') },
              claims,
            ),
          ],
          [
            'with the URL of its certificate in x5u',
            signWithAttackersKey({ ...rsa, x5u: urlOf('cert.pem') }, claims),
          ],
        ] as const)),
  ])
}
