/** Secrets: the names of environment variables and their values. */
export type Secrets = Readonly<Record<string, string | undefined>>

/**
 * Returns a function that replaces a secret, or a large part of it, by `$NAME`. Longer values are
 * replaced first, because a shorter value may be a part of a longer one. Secrets that are added
 * later, such as tokens that a target returns, are redacted from then on.
 */
export function newRedactor(secrets: Secrets): (text: string) => string {
  let known = knownOf(secrets)
  let count = Object.keys(secrets).length
  return (text) => {
    const present = Object.keys(secrets).length
    if (present !== count) {
      known = knownOf(secrets)
      count = present
    }
    return known.reduce((clean, [name, value]) => clean.replaceAll(value, `$${name}`), text)
  }
}

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
 * Returns the parts of a secret that are redacted too, because checks send tokens that are almost
 * correct. A short part is not redacted, because it may be an ordinary word.
 */
function partsOf(value: string): string[] {
  return [value.slice(1), value.slice(0, Math.ceil(value.length / 2))].filter(
    (part) => part.length >= 8,
  )
}
