/**
 * The moment of a timestamp, in milliseconds since the epoch. Undefined if the value has no time
 * zone or is not a timestamp.
 */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/(Z|GMT|[+-]\d\d(:?\d\d)?)$/i.test(value)) return undefined
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment
}

/**
 * Whether two timestamps of one image can be the same moment. Timestamps of the same format must be
 * equal. Different formats can have different precisions, so the timestamps must be within a
 * second. If one of them has no time zone, they are not compared.
 */
export function isSameMoment(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const formOf = (value: unknown) => String(value).replace(/\d/g, '0')
  if (formOf(one) === formOf(other)) return false
  const [a, b] = [momentOf(one), momentOf(other)]
  return a === undefined || b === undefined || Math.abs(a - b) <= 1000
}
