import { compact, encoded } from './encoding.ts'
import { named, strange, type Forged, type Making } from './making.ts'

/** The first character decides over six bits of a signature; the last one may have bits that nobody reads. */
export const flipped = (mark: string): string => (mark.startsWith('A') ? 'B' : 'A') + mark.slice(1)

/** Tokens of which the signature is not the secret's. */
export function ofSecret({ good, header, claims }: Making): Forged[] {
  const [head = '', body = '', mark = ''] = good.split('.')
  return named('secret', [
    ['without its signature', `${head}.${body}.`],
    ['with half of its signature', `${head}.${body}.${mark.slice(0, mark.length / 2)}`],
    [
      'with a signature of which the first character is another',
      `${head}.${body}.${flipped(mark)}`,
    ],
    ['signed with a wrong secret', strange({ ...header, alg: 'HS256' }, claims)],
    ['signed with an empty secret', strange({ ...header, alg: 'HS256' }, claims, '')],
    [
      'of which the payload was changed',
      `${head}.${encoded({ ...claims, sub: 'somebody-else' })}.${mark}`,
    ],
    [
      'of which the header was changed',
      `${encoded({ ...header, touchstone: 'changed' })}.${body}.${mark}`,
    ],
  ])
}

/** Tokens that say that they are not signed. */
export function unsigned({ header, claims, own }: Making): Forged[] {
  return named(
    'unsigned',
    ['none', 'nOnE'].flatMap(
      (alg) =>
        [
          [`with alg ${alg} and no signature`, compact({ ...header, alg }, claims, 'nobody')],
          [
            `with alg ${alg} and a signature`,
            own({ ...header, alg }, claims) ?? strange({ ...header, alg }, claims),
          ],
        ] as const,
    ),
  )
}
