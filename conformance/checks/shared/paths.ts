/** The segments of a path in the contract: `/result/images/*` has three. */
export const pathSegments = (path: string): string[] => path.split('/').slice(1)

/** Whether a value has a member at a path of the contract. `*` matches any item of an array. */
export function hasValueAt(value: unknown, segments: readonly string[]): boolean {
  if (value === undefined) return false
  const [segment, ...rest] = segments
  if (segment === undefined) return true
  if (segment === '*') return Array.isArray(value) && value.some((item) => hasValueAt(item, rest))
  return (
    typeof value === 'object' &&
    value !== null &&
    hasValueAt((value as Record<string, unknown>)[segment], rest)
  )
}
