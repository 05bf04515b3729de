import { fault, type MakeAuthDeviation } from '../building.ts'
import { isMac, macOf, acceptAlso, type ParsedToken } from './tokens.ts'

const isNone = (alg: unknown): boolean => typeof alg === 'string' && alg.toLowerCase() === 'none'

/** Remembers a property of each valid token, and accepts every token with the same property. */
const remember =
  (what: (token: ParsedToken) => string): MakeAuthDeviation =>
  (hit) => {
    const known = new Set<string>()
    return acceptAlso((token, secret) => {
      // With 'all', this function is also called for valid tokens, so that they can be remembered.
      if (token.header['alg'] !== 'HS256' || token.count !== 3 || 'crit' in token.header)
        return false
      if (isMac(token, secret)) known.add(what(token))
      return known.has(what(token))
    }, 'all')(hit)
  }

/**
 * Accepts tokens that are signed with only the first characters of the secret. `isAccepted` decides
 * by the number of these characters.
 */
const acceptPartOfSecret = (
  isAccepted: (length: number, all: number) => boolean,
): MakeAuthDeviation =>
  acceptAlso(
    (token, secret) =>
      token.header['alg'] === 'HS256' &&
      token.header['kid'] === undefined &&
      [...secret.keys()].some(
        (length) =>
          length > 0 && isAccepted(length, secret.length) && isMac(token, secret.slice(0, length)),
      ),
  )

/** Faults in which signatures are not verified strictly. */
export const signatures = [
  fault(
    'signature-ignored',
    'Does not verify signatures.',
    ['AUTH-JWT-06', 'AUTH-JWT-10'],
    acceptAlso(({ header, count }) => header['alg'] === 'HS256' && count === 3),
  ),
  fault(
    'empty-signature-accepted',
    'Accepts tokens with an empty signature.',
    ['AUTH-JWT-06'],
    acceptAlso(
      ({ header, signature, count }) =>
        header['alg'] === 'HS256' && count === 3 && signature === '',
    ),
  ),
  fault(
    'signature-compared-in-part',
    'Accepts a prefix of the right signature.',
    ['AUTH-JWT-06'],
    acceptAlso(
      (token, secret) =>
        token.header['alg'] === 'HS256' &&
        token.signature !== '' &&
        macOf(token, secret).startsWith(token.signature),
    ),
  ),
  fault(
    'signature-without-its-beginning',
    'Does not compare the first character of signatures.',
    ['AUTH-JWT-06'],
    acceptAlso(
      (token, secret) =>
        token.header['alg'] === 'HS256' &&
        token.signature.slice(1) !== '' &&
        macOf(token, secret).endsWith(token.signature.slice(1)),
    ),
  ),
  fault(
    'empty-secret-accepted',
    'Accepts tokens that are signed with an empty secret.',
    ['AUTH-JWT-06'],
    acceptAlso(
      (token) =>
        token.header['alg'] === 'HS256' && token.header['kid'] === undefined && isMac(token, ''),
    ),
  ),
  fault(
    'signature-in-any-case',
    'Ignores case in signatures.',
    ['AUTH-JWT-06'],
    acceptAlso(
      (token, secret) =>
        token.header['alg'] === 'HS256' &&
        token.signature.toLowerCase() === macOf(token, secret).toLowerCase(),
    ),
  ),
  ...[8, 16].map((characters) =>
    fault(
      `first-${characters}-characters-of-the-secret-accepted`,
      `Accepts tokens that are signed with the first ${characters} characters of the secret.`,
      ['AUTH-JWT-06'],
      acceptPartOfSecret((length) => length === characters),
    ),
  ),
  ...(['iss', 'aud'] as const).map((claim) =>
    fault(
      `${claim}-is-a-secret`,
      `Accepts tokens that are signed with their ${claim} as the secret.`,
      ['AUTH-JWT-06'],
      acceptAlso((token) => {
        const value = token.claims[claim]
        const { alg, kid } = token.header
        return alg === 'HS256' && kid === undefined && isMac(token, String(value))
      }),
    ),
  ),
  fault(
    'end-of-the-secret-ignored',
    'Accepts tokens that are signed with the secret without a few of its last characters.',
    ['AUTH-JWT-06'],
    acceptPartOfSecret((length, all) => length > all / 2 && length < all - 1),
  ),
  fault(
    'last-character-of-the-secret-ignored',
    'Accepts tokens that are signed with the secret without its last character.',
    ['AUTH-JWT-06'],
    acceptPartOfSecret((length, all) => length === all - 1),
  ),
  ...['HS384', 'HS512'].map((alg) =>
    fault(
      `${alg.toLowerCase()}-unverified`,
      `Accepts ${alg} tokens without verifying them.`,
      ['AUTH-JWT-06'],
      acceptAlso(({ header }) => header['alg'] === alg),
    ),
  ),
  fault(
    'known-signature-accepted',
    'Remembers valid signatures, but not what they sign.',
    ['AUTH-JWT-06'],
    remember(({ signature }) => signature),
  ),
  fault(
    'header-left-unsigned',
    'Remembers valid payloads with their signatures, but not their headers.',
    ['AUTH-JWT-06'],
    remember(({ input, signature }) => `${input.split('.')[1]}.${signature}`),
  ),
  fault(
    'signature-verified-once',
    'Remembers verified tokens and no longer verifies their signatures.',
    ['AUTH-JWT-06'],
    remember(({ input }) => input),
  ),

  fault(
    'alg-none-accepted',
    'Accepts unsigned tokens with alg none.',
    ['AUTH-JWT-09'],
    acceptAlso(({ header, signature }) => header['alg'] === 'none' && signature === ''),
  ),
  fault(
    'alg-none-in-another-case',
    'Accepts unsigned tokens with alg none if some of its letters are capitals, such as None.',
    ['AUTH-JWT-09'],
    acceptAlso(
      ({ header, signature }) =>
        isNone(header['alg']) && header['alg'] !== 'none' && signature === '',
    ),
  ),
  fault(
    'alg-none-with-a-signature',
    'Accepts tokens with alg none and a signature.',
    ['AUTH-JWT-09'],
    acceptAlso(({ header, signature }) => isNone(header['alg']) && signature !== ''),
  ),
]
