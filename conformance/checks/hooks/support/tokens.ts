/** A wrong token of the same length that differs only in the last character. */
export function alterLastCharacter(token: string): string {
  const last = token.at(-1) === 'x' ? 'y' : 'x'
  return `${token.slice(0, -1)}${last}`
}

/** Wrong tokens that a careless comparison would accept. */
export const similarTokens = (token: string) => ({
  'last character differs': alterLastCharacter(token),
  truncated: token.slice(0, -1),
  'with a suffix': `${token}x`,
})
