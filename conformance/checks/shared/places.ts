/** The steps of a place of the contract. */
export const pathSegments = (path: string): string[] => path.split('/').slice(1)

/** Whether there is a value at a place of the contract (`*` stands for any item). */
export function hasValueAt(value: unknown, steps: readonly string[]): boolean {
  if (value === undefined) return false
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (step === '*') return Array.isArray(value) && value.some((item) => hasValueAt(item, rest))
  return (
    typeof value === 'object' &&
    value !== null &&
    hasValueAt((value as Record<string, unknown>)[step], rest)
  )
}
