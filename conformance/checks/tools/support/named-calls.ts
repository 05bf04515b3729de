import type { ToolsTarget } from '../target.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A tool, and arguments that it accepts. */
export interface NamedCall {
  tool: string
  arguments: Arguments
}

/**
 * Returns the calls that the target file names, at most one for each tool: first `search`, `long`
 * and `get`, then those in `calls`. The call in `elicit` is left out.
 */
export function namedCalls({ search, long, get, calls = {} }: ToolsTarget): NamedCall[] {
  const named = [
    search,
    long,
    get,
    ...Object.entries(calls).map(([tool, args]) => ({ tool, arguments: args })),
  ].filter((call) => call !== undefined)
  return named.filter(
    ({ tool }, index) => named.findIndex((other) => other.tool === tool) === index,
  )
}
