import type { ToolsTarget } from '../target.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A tool, and arguments that it takes. */
export interface NamedCall {
  tool: string
  arguments: Arguments
}

/** Every call that the target file names, once for each tool; those of which most is known come first. What asks its user is not among them. */
export function namedCalls({ search, long, get, calls = {} }: ToolsTarget): NamedCall[] {
  const named = [
    search,
    long,
    get,
    ...Object.entries(calls).map(([tool, given]) => ({ tool, arguments: given })),
  ].filter((call) => call !== undefined)
  return named.filter(
    ({ tool }, index) => named.findIndex((other) => other.tool === tool) === index,
  )
}
