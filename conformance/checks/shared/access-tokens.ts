import { swapCase } from '../../wire/swap-case.ts'

/**
 * Returns a wrong token that differs only in its last character. The two characters differ in the
 * highest bit of their Base64 value, because the lowest bits at the end of a signature can be
 * unused.
 */
export function changeLastCharacter(token: string): string {
  const last = /[A-Za-f]$/.test(token) ? 'z' : 'A'
  return `${token.slice(0, -1)}${last}`
}

/** Wrong access tokens that a careless comparison could accept, by description. */
export function similarAccessTokens(token: string): Record<string, string> {
  return {
    'a token with a different first character': `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`,
    'a token with a different last character': changeLastCharacter(token),
    'the first half of the token': token.slice(0, Math.ceil(token.length / 2)),
    'a token without its last character': token.slice(0, -1),
    'a token with a suffix': `${token}x`,
    ...(isCaseSensitive(token)
      ? { 'a token with upper and lower case swapped': swapCase(token) }
      : {}),
  }
}

/**
 * Whether swapping upper and lower case results in a different token. Hexadecimal and base32
 * strings have the same value in either case.
 */
export const isCaseSensitive = (token: string) => !/^([0-9a-f-]+|[a-z2-7=]+)$/i.test(token)
