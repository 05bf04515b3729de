import { encodeToken, encodePart } from './encoding.ts'
import { listForged, signWithAttackersSecret, type Forged, type ForgeryInput } from './forgery.ts'

/** Changes the first character, because the last one may contain unused bits. */
export const alterSignature = (mark: string): string =>
  (mark.startsWith('A') ? 'B' : 'A') + mark.slice(1)

/** Tokens with a signature that was not made with the secret. */
export function forgeSignatures({ good, header, claims }: ForgeryInput): Forged[] {
  const [head = '', body = '', mark = ''] = good.split('.')
  return listForged('secret', [
    ['without its signature', `${head}.${body}.`],
    ['with half of its signature', `${head}.${body}.${mark.slice(0, mark.length / 2)}`],
    [
      'with a signature of which the first character is another',
      `${head}.${body}.${alterSignature(mark)}`,
    ],
    ['signed with a wrong secret', signWithAttackersSecret({ ...header, alg: 'HS256' }, claims)],
    [
      'signed with an empty secret',
      signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, ''),
    ],
    [
      'of which the payload was changed',
      `${head}.${encodePart({ ...claims, sub: 'somebody-else' })}.${mark}`,
    ],
    [
      'of which the header was changed',
      `${encodePart({ ...header, touchstone: 'changed' })}.${body}.${mark}`,
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
