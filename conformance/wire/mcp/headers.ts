import type { McpHeaders } from './api.ts'

/** Headers one over the other, whatever their case; one without a value takes away what stands below it. */
export function merged(...layers: (McpHeaders | undefined)[]): Record<string, string> {
  const headers = new Map<string, [string, string]>()
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer ?? {}))) {
    if (value === undefined) headers.delete(name.toLowerCase())
    else headers.set(name.toLowerCase(), [name, value])
  }
  return Object.fromEntries(headers.values())
}
