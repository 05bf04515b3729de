/** Fewer characters that differ than this are a counter, or the time; what is drawn at random, in whatever writing, has more. */
const few = 10

/** Whether texts differ as those do that are drawn at random: from the first to the last place at which two of them differ lie many. */
export function hasSpread(texts: readonly string[]): boolean {
  return (
    texts.length < 2 ||
    texts.some((one, at) => texts.slice(at + 1).some((other) => apart(one, other) >= few))
  )
}

/** How many characters lie between what two texts begin and end with alike. */
function apart(one: string, other: string): number {
  const longest = Math.max(one.length, other.length)
  const shortest = Math.min(one.length, other.length)
  let start = 0
  while (start < shortest && one[start] === other[start]) start += 1
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return longest - start - end
}
