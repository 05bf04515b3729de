/** At most this many entries are listed. Only a server that ignores all deletions leaves more. */
const maxListed = 500

/**
 * Describes things of one kind that the run created and that remain on the server, in one line.
 * `note` follows the noun. Consecutive numbers are one entry.
 *
 * @example
 * describeRemaining('hook', '(DELETE returned 404)', ['7', '8', '9', '12'])
 * // '4 hooks (DELETE returned 404): 7 to 9, 12'
 */
export function describeRemaining(noun: string, note: string, ids: readonly string[]): string {
  const entries = joinConsecutive(ids.toSorted(byNumber))
  const listed = entries.slice(0, maxListed)
  const more = entries.slice(maxListed).reduce((sum, { count }) => sum + count, 0)
  const total = `${ids.length} ${noun}${ids.length === 1 ? '' : 's'}`
  return `${total} ${note}: ${listed.map(({ text }) => text).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const byNumber = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true })

/** Joins each three or more consecutive numbers in sorted ids to one entry. */
function joinConsecutive(ids: readonly string[]): { text: string; count: number }[] {
  const runs: string[][] = []
  for (const id of ids) {
    const run = runs.at(-1)
    const last = run?.at(-1) ?? ''
    if (run !== undefined && isNumber(id) && isNumber(last) && Number(id) === Number(last) + 1)
      run.push(id)
    else runs.push([id])
  }
  return runs.flatMap((run) =>
    run.length < 3
      ? run.map((id) => ({ text: id, count: 1 }))
      : [{ text: `${run[0]!} to ${run.at(-1)!}`, count: run.length }],
  )
}

/** Whether an id is a number that JavaScript represents exactly. */
const isNumber = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id)
