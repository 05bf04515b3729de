/** Names of secrets (as variables of the environment) and their values. */
export type Secrets = Readonly<Record<string, string | undefined>>

/**
 * Makes a function that writes `$NAME` wherever a secret's value, or most of it, stands in a text. Longer values go first, so that none is cut by another.
 * Secrets that are added later, such as tokens that a target gives, are known from then on.
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

/** Checks send tokens that are almost right: what is left of the right one in them is a secret too, unless it is so short that it may be any word. */
function partsOf(value: string): string[] {
  return [value.slice(1), value.slice(0, Math.ceil(value.length / 2))].filter(
    (part) => part.length >= 8,
  )
}
