/** The moment of a timestamp with a zone, in milliseconds; undefined if it has none. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/(Z|GMT|[+-]\d\d(:?\d\d)?)$/i.test(value)) return undefined
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment
}

/**
 * Whether two timestamps of one image can be the same moment. In one form they must be equal; two
 * responses may use different forms and precisions.
 */
export function isSameMoment(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const formOf = (value: unknown) => String(value).replace(/\d/g, '0')
  if (formOf(one) === formOf(other)) return false
  const [a, b] = [momentOf(one), momentOf(other)]
  return a === undefined || b === undefined || Math.abs(a - b) <= 1000
}
