/**
 * The minimum number of characters from the first to the last difference between two random
 * strings. Values of a counter or a clock differ in a shorter range.
 */
const minSpread = 10

/**
 * Whether strings differ like random values: at least two must differ in a range of many
 * characters.
 */
export function looksRandom(strings: readonly string[]): boolean {
  return (
    strings.length < 2 ||
    strings.some((one, at) =>
      strings.slice(at + 1).some((other) => spreadOf(one, other) >= minSpread),
    )
  )
}

/** The number of characters between the common prefix and the common suffix. */
function spreadOf(one: string, other: string): number {
  const longest = Math.max(one.length, other.length)
  const shortest = Math.min(one.length, other.length)
  let start = 0
  while (start < shortest && one[start] === other[start]) start += 1
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return longest - start - end
}
