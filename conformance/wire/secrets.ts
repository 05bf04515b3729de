/** Names of secrets (as variables of the environment) and their values. */
export type Secrets = Readonly<Record<string, string | undefined>>

/** Makes a function that writes `$NAME` wherever a secret's value stands in a text. Longer values go first, so that none is cut by another. */
export function redactor(secrets: Secrets): (text: string) => string {
  const known = Object.entries(secrets)
    .filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
    .sort(([, a], [, b]) => b.length - a.length)
  return (text) => known.reduce((clean, [name, value]) => clean.replaceAll(value, `$${name}`), text)
}
