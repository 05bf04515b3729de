/**
 * Quotes a word of a command line. A word with a secret gets double quotes, so that a shell inserts
 * the variable that replaces the secret.
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_02
 */
export function quoteForShell(text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  return clean === text
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `"${clean.replace(/["\\`]/g, '\\$&')}"`
}
