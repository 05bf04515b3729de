import { swapCase } from '../../wire/swap-case.ts'

/**
 * Returns a wrong token that differs only in its last character. In Base64, the two characters
 * differ in their highest bit, because the lowest bits at the end of an encoded signature can be
 * unused.
 */
export function changeLastCharacter(token: string): string {
  const last = /[A-Za-f]$/.test(token) ? 'z' : 'A'
  return `${token.slice(0, -1)}${last}`
}

/** Wrong access tokens that a careless comparison could accept, by description. */
export function similarAccessTokens(token: string): Record<string, string> {
  return {
    'different first character': `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`,
    'different last character': changeLastCharacter(token),
    'first half of the token': token.slice(0, Math.ceil(token.length / 2)),
    'token without its last character': token.slice(0, -1),
    'token with a suffix': `${token}x`,
    ...(isCaseSensitive(token)
      ? { 'token with upper and lower case swapped': swapCase(token) }
      : {}),
  }
}

/**
 * Whether a token with upper and lower case swapped is a different token. The value of a
 * hexadecimal or base32 string does not depend on the case of its letters.
 */
export const isCaseSensitive = (token: string) => !/^([0-9a-f-]+|[a-z2-7=]+)$/i.test(token)
