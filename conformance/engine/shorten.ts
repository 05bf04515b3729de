/**
 * The maximum length of a finding or a reason, in characters. They contain values of the target.
 */
const maxCharacters = 16 * 1024

/** Cuts what is too long for a report, and adds its length. */
export const shorten = (text: string): string =>
  text.length > maxCharacters
    ? `${text.slice(0, maxCharacters)}… (${text.length} characters)`
    : text
