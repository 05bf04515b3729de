/** All values of members of that name, at any depth: the record of a variant has no stated form, but a sensible one shows its options by name. */
export function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own =
    !Array.isArray(value) && name in value ? [(value as Record<string, unknown>)[name]] : []
  return [...own, ...Object.values(value).flatMap((member) => membersNamed(name, member))]
}

/** Whether a name stands somewhere in a value: as a text, or as the key of a member. */
export function mentions(name: string, value: unknown): boolean {
  if (value === name) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => key === name || mentions(name, member))
}
