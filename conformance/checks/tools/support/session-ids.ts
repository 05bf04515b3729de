/** The difference between the first and the last number of these lengths that a clock explains. */
const shortLength = 6
const randomDigits = 4

/**
 * Whether ids, in the order of their creation, differ only in numbers that never decrease, like a
 * counter or a clock. A long number must also stay almost the same, because random numbers may be
 * in order by chance.
 */
export function arePredictable(ids: readonly string[]): boolean {
  const form = (id: string) => id.replaceAll(/\d+/g, '#')
  const [first = '', ...others] = ids
  if (new Set(ids).size < ids.length || others.some((id) => form(id) !== form(first))) return false
  const numbers = ids.map((id) => (id.match(/\d+/g) ?? []).map(BigInt))
  return numbers[0]!.every((_, at) => growsSlowly(numbers.map((one) => one[at]!)))
}

function growsSlowly(numbers: readonly bigint[]): boolean {
  const [first, last] = [numbers[0]!, numbers.at(-1)!]
  const { length } = String(last)
  const isOrdered = numbers.every((one, at) => at === 0 || one >= numbers[at - 1]!)
  return isOrdered && (length <= shortLength || last - first < 10n ** BigInt(length - randomDigits))
}
