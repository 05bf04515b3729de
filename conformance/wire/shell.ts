/** A word of a command line; secrets are in double quotes, so that a shell fills in their variables. */
export function quoteForShell(text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  return clean === text
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `"${clean.replace(/["\\`]/g, '\\$&')}"`
}
