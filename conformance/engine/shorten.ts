/**
 * Cuts a string that is too long for a report, and appends its length. Findings and reasons, which
 * contain values of the target, have at most 16,384 characters.
 */
export const shorten = (text: string, maxCharacters = 16 * 1024): string =>
  text.length > maxCharacters
    ? `${text.slice(0, maxCharacters)}… (${text.length} characters)`
    : text
