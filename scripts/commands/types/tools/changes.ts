/** How the tools of a module differ from those of an earlier module. The strings are tool names. */
export interface ToolChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Tools whose description or schemas have changed. */
  readonly changed: readonly string[]
}

/** Compares two modules that `toolsModule` wrote. */
export function toolChanges(before: string, after: string): ToolChanges {
  const [old, current] = [toolsOf(before), toolsOf(after)]
  return {
    added: [...current.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !current.has(name)),
    changed: [...current.keys()].filter(
      (name) => old.has(name) && old.get(name) !== current.get(name),
    ),
  }
}

/**
 * Returns the code for each tool, by the name of the tool: its comments, and its guards, which
 * contain its schemas.
 */
function toolsOf(module: string): Map<string, string> {
  const entry = /^ {2}("(?:[^"\\]|\\.)*"): \{ arguments: (\w+); result: (\w+) \}$/gm
  return new Map(
    [...module.matchAll(entry)].map(([, name = '""', ...types]) => [
      JSON.parse(name) as string,
      types.map((type) => codeOf(module, type)).join('\n'),
    ]),
  )
}

function codeOf(module: string, type: string): string {
  const comment = new RegExp(`^/\\*\\* .*\\n(?=export type ${type} )`, 'm').exec(module)?.[0] ?? ''
  const start = module.indexOf(`\nexport const is${type}: `)
  if (start === -1) return comment
  const end = module.indexOf('\nexport const is', start + 1)
  return comment + module.slice(start, end === -1 ? undefined : end)
}
