import { encodeToken, encodePart } from './encoding.ts'
import { listForged, signWithAttackersSecret, type Forged, type ForgeryInput } from './forgery.ts'

/** Changes the first character of a signature, not the last one, which may contain unused bits. */
export const alterSignature = (signature: string): string =>
  (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)

/** Tokens whose signature is missing, incomplete, or not made with the secret for this content. */
export function forgeSignatures({ validToken, header, claims }: ForgeryInput): Forged[] {
  const [head = '', body = '', signature = ''] = validToken.split('.')
  return listForged('secret', [
    ['without its signature', `${head}.${body}.`],
    ['with half of its signature', `${head}.${body}.${signature.slice(0, signature.length / 2)}`],
    [
      'with the first character of its signature changed',
      `${head}.${body}.${alterSignature(signature)}`,
    ],
    ['signed with a wrong secret', signWithAttackersSecret({ ...header, alg: 'HS256' }, claims)],
    [
      'signed with an empty secret',
      signWithAttackersSecret({ ...header, alg: 'HS256' }, claims, ''),
    ],
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
