/** The moment of a timestamp, in milliseconds since the epoch; undefined without a time zone. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/(Z|GMT|[+-]\d\d(:?\d\d)?)$/i.test(value)) return undefined
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment
}

/**
 * Whether two timestamps of one image can be the same moment. Timestamps of the same form must be
 * equal; timestamps of different forms, which can have different precisions, within a second.
 */
export function isSameMoment(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const formOf = (value: unknown) => String(value).replace(/\d/g, '0')
  if (formOf(one) === formOf(other)) return false
  const [a, b] = [momentOf(one), momentOf(other)]
  return a === undefined || b === undefined || Math.abs(a - b) <= 1000
}
