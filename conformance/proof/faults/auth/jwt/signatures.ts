import { fault, type MakeAuthDeviation } from '../building.ts'
import { holds, macOf, takes, type Parsed } from './opening.ts'

const isNone = (alg: unknown): boolean => typeof alg === 'string' && alg.toLowerCase() === 'none'

/** Remembers something of each good token, and takes all of which it knows that. */
const remembers =
  (what: (token: Parsed) => string): MakeAuthDeviation =>
  (hit) => {
    const known = new Set<string>()
    return takes((token, secret) => {
      // The right ones are asked about as well: they are what is remembered.
      if (token.header['alg'] !== 'HS256' || token.count !== 3 || 'crit' in token.header)
        return false
      if (holds(token, secret)) known.add(what(token))
      return known.has(what(token))
    }, 'all')(hit)
  }

/** Signatures that are not looked at closely. */
export const signatures = [
  fault(
    'signature-unread',
    'Reads tokens without looking at their signatures.',
    ['AUTH-JWT-06'],
    takes(({ header, count }) => header['alg'] === 'HS256' && count === 3),
  ),
  fault(
    'empty-signature-taken',
    'Takes tokens without a signature.',
    ['AUTH-JWT-06'],
    takes(({ header, mark, count }) => header['alg'] === 'HS256' && count === 3 && mark === ''),
  ),
  fault(
    'signature-compared-in-part',
    'Compares as much of a signature as there is.',
    ['AUTH-JWT-06'],
    takes(
      (token, secret) =>
        token.header['alg'] === 'HS256' &&
        token.mark !== '' &&
        macOf(token, secret).startsWith(token.mark),
    ),
  ),
  fault(
    'signature-without-its-beginning',
    'Compares the ends of signatures only.',
    ['AUTH-JWT-06'],
    takes(
      (token, secret) =>
        token.header['alg'] === 'HS256' &&
        token.mark.slice(1) !== '' &&
        macOf(token, secret).endsWith(token.mark.slice(1)),
    ),
  ),
  fault(
    'empty-secret-taken',
    'Takes tokens that are signed with an empty secret.',
    ['AUTH-JWT-06'],
    takes(
      (token) =>
        token.header['alg'] === 'HS256' && token.header['kid'] === undefined && holds(token, ''),
    ),
  ),
  fault(
    'known-signature-taken',
    'Remembers good signatures, and not what they were for.',
    ['AUTH-JWT-06'],
    remembers(({ mark }) => mark),
  ),
  fault(
    'header-left-unsigned',
    'Remembers good payloads with their signatures, and not their headers.',
    ['AUTH-JWT-06'],
    remembers(({ input, mark }) => `${input.split('.')[1]}.${mark}`),
  ),
  fault(
    'signature-looked-at-once',
    'Remembers what was signed right, and looks at its signature no more.',
    ['AUTH-JWT-06'],
    remembers(({ input }) => input),
  ),

  fault(
    'alg-none-taken',
    'Takes tokens that say that they are not signed.',
    ['AUTH-JWT-09'],
    takes(({ header, mark }) => header['alg'] === 'none' && mark === ''),
  ),
  fault(
    'alg-none-in-another-case',
    'Refuses none, and takes it in another case.',
    ['AUTH-JWT-09'],
    takes(({ header, mark }) => isNone(header['alg']) && header['alg'] !== 'none' && mark === ''),
  ),
  fault(
    'alg-none-with-a-signature',
    'Takes tokens of alg none that bring a signature.',
    ['AUTH-JWT-09'],
    takes(({ header, mark }) => isNone(header['alg']) && mark !== ''),
  ),
]
