/** A token that is almost the right one: of the same length and with the same beginning. */
export function alterLastCharacter(token: string): string {
  const last = token.at(-1) === 'x' ? 'y' : 'x'
  return `${token.slice(0, -1)}${last}`
}

/** Tokens that look like the right one to whoever compares carelessly. */
export const similarTokens = (token: string) => ({
  'almost right': alterLastCharacter(token),
  'cut short': token.slice(0, -1),
  'with more after it': `${token}x`,
})
