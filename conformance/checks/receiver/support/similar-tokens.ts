import { createHash } from 'node:crypto'

/** A letter that differs from the given one. */
const differentLetter = (letter: string | undefined) => (letter === 'x' ? 'y' : 'x')

const swapCase = (letter: string) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

const encodeAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/**
 * Wrong tokens that a careless comparison could accept, by description. None of them equals the
 * secret.
 */
export function similarTokens(secret: string): Record<string, string> {
  const half = Math.ceil(secret.length / 2)
  const tokens: Record<string, string> = {
    'a prefix of the secret': secret.slice(0, -1),
    'the first half of the secret': secret.slice(0, half),
    'a suffix of the secret': secret.slice(1),
    'the second half of the secret': secret.slice(half),
    'the secret with a different last character': `${secret.slice(0, -1)}${differentLetter(secret.at(-1))}`,
    'the secret with a different first character': `${differentLetter(secret[0])}${secret.slice(1)}`,
    'the secret followed by a character': `${secret}${differentLetter(secret.at(-1))}`,
    'the secret after another character': `${differentLetter(secret[0])}${secret}`,
    'the secret with the case of one letter changed': secret.replace(/[a-z]/i, swapCase),
    'the secret with upper and lower case swapped': secret.replace(/[a-z]/gi, swapCase),
    'the secret in reverse': [...secret].reverse().join(''),
    'the secret with a space in the middle': `${secret.slice(0, half)} ${secret.slice(half)}`,
    'the secret with a non-ASCII letter in the middle': `${secret.slice(0, half)}é${secret.slice(half)}`,
    'the secret with other letters in place of special characters': secret.replace(
      /[^a-z0-9]/gi,
      'x',
    ),
    'another string of the same length': 'z'.repeat(secret.length),
    'the secret in double quotes': `"${secret}"`,
    'the secret in single quotes': `'${secret}'`,
    'a list that starts with the secret': `${secret}, other`,
    'a list that ends with the secret': `other,${secret}`,
    'the secret after Bearer': `Bearer ${secret}`,
    'the secret in percent-encoding': encodeAll(secret),
    'the secret in Base64': Buffer.from(secret).toString('base64'),
    'the SHA-256 hash of the secret': createHash('sha256').update(secret).digest('hex'),
    'the word null': 'null',
    'the word undefined': 'undefined',
    'the word true': 'true',
    'an asterisk': '*',
    'a pattern that matches every string': '.*',
    'the secret with another letter in place of a dot': secret.replace(/\./g, 'x'),
    'an empty token': '',
  }
  // White space around the value of a header does not belong to the value (RFC 9110 §5.5).
  return Object.fromEntries(Object.entries(tokens).filter(([, token]) => token.trim() !== secret))
}
