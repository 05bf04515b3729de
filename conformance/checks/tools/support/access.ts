import type { StdioPlace } from '../../../wire/index.ts'
import type { AuthAccess } from '../../auth/support/access.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A tool, and arguments that it takes. */
export interface NamedCall {
  tool: string
  arguments: Arguments
}

/** What the checks need to know of a target: the keys of its `tools` section. */
export interface ToolsAccess {
  http?: string | undefined
  sse?: string | undefined
  stdio?: StdioPlace | undefined
  search?: (NamedCall & { id?: string | undefined; title?: string | undefined }) | undefined
  long?: (NamedCall & { id?: string | undefined }) | undefined
  get?: NamedCall | undefined
  calls?: Readonly<Record<string, Arguments>> | undefined
  elicit?: (NamedCall & { content: Arguments }) | undefined
  resource?: string | undefined
  upstream?:
    | {
        listen?: string | undefined
        publicUrl?: string | undefined
        forward?: string | undefined
        hook?: string | undefined
      }
    | undefined
  clock?: string | undefined
  /** Pattern none where it is not given. */
  auth?: AuthAccess | undefined
}

/** Every call that the target file names, once for each tool; those of which most is known come first. What asks its user is not among them. */
export function namedCalls({ search, long, get, calls = {} }: ToolsAccess): NamedCall[] {
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
