/**
 * All values of members with this name, at any depth of a JSON value. The document does not say
 * where in a response the options of a variant are.
 */
export function findMembersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own =
    !Array.isArray(value) && name in value ? [(value as Record<string, unknown>)[name]] : []
  return [...own, ...Object.values(value).flatMap((member) => findMembersNamed(name, member))]
}

/** Whether a JSON value contains a name at any depth, as a string or as the key of a member. */
export function mentions(name: string, value: unknown): boolean {
  if (value === name) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => key === name || mentions(name, member))
}
