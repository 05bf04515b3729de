/** At most this many ids are listed. Only a server that ignores all deletions leaves more. */
const maxListed = 500

/**
 * Describes things of one kind that the run created and that remain on the server, in one line.
 * `note` follows the noun.
 *
 * @example
 * describeRemaining('hook', '(DELETE returned 404)', ['7', '8'])
 * // '2 hooks (DELETE returned 404): 7, 8'
 */
export function describeRemaining(noun: string, note: string, ids: readonly string[]): string {
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
  const count = `${ids.length} ${noun}${ids.length === 1 ? '' : 's'}`
  return `${count} ${note}: ${ids.slice(0, maxListed).join(', ')}${more}`
}
