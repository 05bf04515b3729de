import { attackersKey, attackersKid, attackersSecret, attackersSecretJwk } from './attacker.ts'
import {
  signWithAttackersKey,
  listForged,
  signWithAttackersSecret,
  type Forged,
  type ForgeryInput,
} from './forgery.ts'

/**
 * Tokens whose header contains or refers to the key with which to verify them. The attacker signs
 * each of them, without the server's secret.
 */
export function forgeTokensWithKeys({ header: known, claims, keysUrl }: ForgeryInput): Forged[] {
  const header = { ...known, alg: 'HS256' }
  const rsa = { ...known, alg: 'RS256' }
  const { jwk, x5c } = attackersKey()
  const urlOf = (path: string) => `${keysUrl}/${path}`
  return listForged('key', [
    [
      'whose kid is a relative path to an empty file',
      signWithAttackersSecret({ ...header, kid: '../../../../../../../../dev/null' }, claims, ''),
    ],
    [
      'whose kid is an absolute path to an empty file',
      signWithAttackersSecret({ ...header, kid: '/dev/null' }, claims, ''),
    ],
    [
      'with a kid that injects SQL',
      signWithAttackersSecret(
        { ...header, kid: `none' UNION SELECT '${attackersSecret}' -- ` },
        claims,
      ),
    ],
    ["with the attacker's RSA key in jwk", signWithAttackersKey({ ...rsa, jwk }, claims)],
    [
      "with the attacker's secret in jwk",
      signWithAttackersSecret({ ...header, jwk: attackersSecretJwk() }, claims),
    ],
    [
      "with the attacker's certificate in x5c",
      signWithAttackersKey({ ...rsa, x5c: [x5c] }, claims),
    ],
    ...(keysUrl === undefined
      ? []
      : ([
          [
            "whose jku is the URL of the attacker's RSA key",
            signWithAttackersKey({ ...rsa, kid: attackersKid, jku: urlOf('jwks.json') }, claims),
          ],
          [
            "whose jku is the URL of the attacker's secret",
            signWithAttackersSecret(
              { ...header, kid: `${attackersKid}-secret`, jku: urlOf('jwks.json') },
              claims,
            ),
          ],
          [
            "whose x5u is the URL of the attacker's certificate",
            signWithAttackersKey({ ...rsa, x5u: urlOf('cert.pem') }, claims),
          ],
        ] as const)),
  ])
}
