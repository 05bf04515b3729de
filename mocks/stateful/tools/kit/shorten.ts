/** Explains in a result that an item was shortened. */
export const shortenedMessage =
  'A single item was too long: its long strings end with “…”, and its long lists are incomplete.'

/**
 * Shortens an item as little as `fits` requires: its long strings end with “…”, and its long lists
 * lose their last members. No string stays longer than `maximum` characters.
 */
export function shortenToFit(
  item: object,
  maximum: number,
  fits: (shortened: object) => boolean,
): object {
  let [fitting, tooLong] = [1, maximum + 1]
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1
    if (fits(shorten(item, middle) as object)) fitting = middle
    else tooLong = middle
  }
  return shorten(item, fitting) as object
}

/** Limits all strings and lists of a JSON value to this length. */
function shorten(value: unknown, length: number): unknown {
  if (typeof value === 'string') return shortenString(value, length)
  if (Array.isArray(value)) return value.slice(0, length).map((member) => shorten(member, length))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shorten(member, length)]),
  )
}

function shortenString(text: string, length: number): string {
  if (text.length <= length) return text
  // Removes half of a surrogate pair, because it would not be a valid character.
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
