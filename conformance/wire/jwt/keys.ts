import { attackersKey, attackersKid, attackersSecret, secretKey } from './attacker.ts'
import { byAttacker, named, strange, type Forged, type Making } from './making.ts'

/** Tokens that bring the key to judge them by, or say where it is. Each is signed with the attacker's, never with the server's secret. */
export function ofKey({ header: known, claims, lure }: Making): Forged[] {
  const header = { ...known, alg: 'HS256' }
  const rsa = { ...known, alg: 'RS256' }
  const { jwk, x5c } = attackersKey()
  const at = (path: string) => `${lure}/${path}`
  return named('key', [
    [
      'with a kid that leads to an empty file',
      strange({ ...header, kid: '../../../../../../../../dev/null' }, claims, ''),
    ],
    ['with a kid that names an empty file', strange({ ...header, kid: '/dev/null' }, claims, '')],
    [
      'with a kid that injects SQL',
      strange({ ...header, kid: `none' UNION SELECT '${attackersSecret}' -- ` }, claims),
    ],
    ['with its own RSA key in jwk', byAttacker({ ...rsa, jwk }, claims)],
    ['with its own secret in jwk', strange({ ...header, jwk: secretKey() }, claims)],
    ['with its own certificate in x5c', byAttacker({ ...rsa, x5c: [x5c] }, claims)],
    ...(lure === undefined
      ? []
      : ([
          [
            'with a jku where its RSA key is',
            byAttacker({ ...rsa, kid: attackersKid, jku: at('jwks.json') }, claims),
          ],
          [
            'with a jku where its secret is',
            strange({ ...header, kid: `${attackersKid}-secret`, jku: at('jwks.json') }, claims),
          ],
          [
            'with an x5u where its certificate is',
            byAttacker({ ...rsa, x5u: at('cert.pem') }, claims),
          ],
        ] as const)),
  ])
}
