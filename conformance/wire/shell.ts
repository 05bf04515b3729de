import { hiddenCharacters } from '../engine/index.ts'
import type { RedactedPart, Redactor } from './secrets.ts'

/**
 * Quotes a word of a command line for a POSIX shell, if necessary. The result has no characters
 * that a terminal would interpret: no control characters except tabs and line feeds, and none that
 * change the direction of text.
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_02
 */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : quoted(word)
}

/**
 * Quotes a word of a command line. Replaces a secret with its variable, which is all that the shell
 * evaluates.
 */
export function quoteForShell(text: string, redact: Redactor): string {
  const parts = redact.split(text)
  if (parts.length === 0) return "''"
  const variables = parts.filter((part) => typeof part !== 'string')
  const literals = parts.filter((part) => typeof part === 'string').join('')
  // Double quotes are easier to read, but a shell evaluates more characters in them.
  if (
    variables.length > 0 &&
    !/["\\`$!]/.test(literals) &&
    literals.search(hiddenCharacters) === -1
  )
    return `"${parts.map((part, index) => (typeof part === 'string' ? part : expansionBefore(parts[index + 1], part.expansion))).join('')}"`
  return parts
    .map((part) => (typeof part === 'string' ? quoted(part) : `"${part.expansion}"`))
    .join('')
}

/** Quotes a word only if necessary, like `shellWord`. Secrets are replaced by their variables. */
export const redactedWord = (word: string, redact: Redactor): string =>
  redact.split(word).some((part) => typeof part !== 'string')
    ? quoteForShell(word, redact)
    : shellWord(word)

/** A variable in double quotes. It needs braces if the next part continues its name. */
const expansionBefore = (next: RedactedPart | undefined, expansion: string) =>
  typeof next === 'string' && /^\w/.test(next) ? expansion.replace(/^\$(\w+)$/, '${$1}') : expansion

/**
 * Quotes a string in single quotes, in which a shell evaluates nothing. `printf` writes hidden
 * characters.
 */
function quoted(text: string): string {
  const inner = text
    .replaceAll("'", `'\\''`)
    .replace(hiddenCharacters, (character) => `'"$(printf '${octal(character)}')"'`)
  return `'${inner}'`
}

const octal = (character: string) =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
