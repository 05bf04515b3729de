/** Secrets: the names of environment variables and their values. */
export type Secrets = Readonly<Record<string, string | undefined>>

/** A part of a string: text without secrets, or the variable that replaces a secret. */
export type RedactedPart = string | { readonly variable: string }

/** Replaces each secret, or a large part of it, by `$NAME`. */
export interface Redactor {
  (text: string): string
  /** The parts of a string, in order, for a syntax in which `$NAME` needs quotes. */
  split(text: string): RedactedPart[]
}

/**
 * Returns a function that replaces secrets. Replaces longer values first, because a shorter one may
 * be a part of a longer one. Does not examine replacements again. Secrets that are added later,
 * such as tokens that a target returns, are redacted from then on.
 */
export function newRedactor(secrets: Secrets): Redactor {
  let known = knownOf(secrets)
  let count = Object.keys(secrets).length
  const split = (text: string): RedactedPart[] => {
    const present = Object.keys(secrets).length
    if (present !== count) {
      known = knownOf(secrets)
      count = present
    }
    const found = known.filter(([, value]) => text.includes(value))
    if (found.length === 0) return [text]
    const names = new Map(found.map(([name, value]) => [value, name]))
    return text
      .split(new RegExp(`(${found.map(([, value]) => escapeRegExp(value)).join('|')})`))
      .map((part, index) => (index % 2 === 0 ? part : { variable: names.get(part)! }))
      .filter((part) => part !== '')
  }
  return Object.assign(
    (text: string) =>
      split(text)
        .map((part) => (typeof part === 'string' ? part : `$${part.variable}`))
        .join(''),
    { split },
  )
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function knownOf(secrets: Secrets): (readonly [string, string])[] {
  return Object.entries(secrets)
    .filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
    .flatMap(([name, value]) => [
      [name, value] as const,
      ...partsOf(value).map((part) => [name, part] as const),
    ])
    .sort(([, a], [, b]) => b.length - a.length)
}

/**
 * Returns the parts of a secret that are redacted too: checks send tokens that are almost correct.
 * Short parts are left, because they may be ordinary words.
 */
function partsOf(value: string): string[] {
  return [value.slice(1), value.slice(0, Math.ceil(value.length / 2))].filter(
    (part) => part.length >= 8,
  )
}
