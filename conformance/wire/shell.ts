/**
 * Quotes a word of a command line. One with a secret is in double quotes, so that a shell inserts
 * the variable.
 */
export function quoteForShell(text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  return clean === text
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `"${clean.replace(/["\\`]/g, '\\$&')}"`
}
