import { encodeToken, encodePart } from './encoding.ts'
import { attackersSecret } from './attacker.ts'
import {
  listForged,
  signWithAttackersSecret,
  type Candidate,
  type Forged,
  type ForgeryInput,
} from './forgery.ts'
import { swapCase } from '../swap-case.ts'

/** Changes the first character of a signature. The last one may contain only unused bits. */
export const alterSignature = (signature: string): string =>
  (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)

/**
 * Nearly half of a signature. It contains whole groups of three bytes, so that it is a valid
 * encoding and also the beginning of the string.
 */
const halfOf = (signature: string): string =>
  signature.slice(0, 4 * Math.floor(signature.length / 8))

/** Key sizes of DES and AES, in bytes. Some servers wrongly truncate their secret to one. */
const keySizes = [8, 16, 32]

/**
 * Beginnings of the secret of several lengths, with names. Empty if the secret is not known.
 */
function partsOfSecret(secret = ''): [name: string, part: string][] {
  const lengths = [...keySizes, secret.length - 1]
  return [...new Set(lengths)]
    .filter((length) => length > 0 && length < secret.length)
    .map((length) => [`the first ${length} characters`, secret.slice(0, length)])
}

/**
 * Tokens whose signature is missing, incomplete, or not computed from the token's content with the
 * server's secret.
 */
export function forgeSignatures({
  validToken,
  header,
  claims,
  secret,
  issuer,
  audience,
}: ForgeryInput): Forged[] {
  const [head = '', body = '', signature = ''] = validToken.split('.')
  return listForged('secret', [
    ['without its signature', `${head}.${body}.`],
    ['with half of its signature', `${head}.${body}.${halfOf(signature)}`],
    [
      'with the first character of its signature changed',
      `${head}.${body}.${alterSignature(signature)}`,
    ],
    ['signed with a wrong secret', signWithAttackersSecret({ ...header, alg: 'HS256' }, claims)],
    ['whose signature has upper and lower case swapped', `${head}.${body}.${swapCase(signature)}`],
    ...(['sha384', 'sha512'] as const).map((hash): Candidate => {
      const alg = `HS${hash.slice(3)}`
      return [
        `with alg ${alg}, signed with a wrong secret`,
        encodeToken({ ...header, alg }, claims, { secret: attackersSecret, hash }),
      ]
    }),
    ...partsOfSecret(secret).map(([name, part]): Candidate => [
      `signed with ${name} of the secret`,
      signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, part),
    ]),
    [
      'signed with an empty secret',
      signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, ''),
    ],
    ...Object.entries({ issuer, audience }).map(([name, value]): Candidate => [
      `signed with the ${name} as its secret`,
      value && signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, value),
    ]),
    [
      'whose payload was changed',
      `${head}.${encodePart({ ...claims, sub: 'somebody-else' })}.${signature}`,
    ],
    [
      'whose header was changed',
      `${encodePart({ ...header, touchstone: 'changed' })}.${body}.${signature}`,
    ],
  ])
}

/** Tokens that declare themselves unsigned. */
export function forgeUnsigned({ header, claims, signWithSecret }: ForgeryInput): Forged[] {
  return listForged(
    'unsigned',
    ['none', 'nOnE'].flatMap(
      (alg) =>
        [
          [`with alg ${alg} and no signature`, encodeToken({ ...header, alg }, claims, 'none')],
          [
            `with alg ${alg} and a signature`,
            signWithSecret({ ...header, alg }, claims) ??
              signWithAttackersSecret({ ...header, alg }, claims),
          ],
        ] as const,
    ),
  )
}
