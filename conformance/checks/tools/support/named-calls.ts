import type { ToolsTarget } from '../target.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A tool, and arguments that it accepts. */
export interface NamedCall {
  tool: string
  arguments: Arguments
}

/**
 * The calls that the target file names, one for each tool, except the eliciting tool. The calls
 * about which the target file says most come first.
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
