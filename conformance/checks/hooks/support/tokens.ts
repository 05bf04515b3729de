/** A token that is almost the right one: of the same length and with the same beginning. */
export function almost(token: string): string {
  const last = token.at(-1) === 'x' ? 'y' : 'x'
  return `${token.slice(0, -1)}${last}`
}

/** Tokens that look like the right one to whoever compares carelessly. */
export const resembling = (token: string) => ({
  'almost right': almost(token),
  'cut short': token.slice(0, -1),
  'with more after it': `${token}x`,
})
