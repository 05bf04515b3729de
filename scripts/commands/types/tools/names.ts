/** Names that the generated file declares. Prefixes must differ from them. */
const taken = new Set(['Tools', 'ToolName', 'Guard', 'GuardError'])

/**
 * Returns the prefix of the type names of each tool, such as `GetSum` for `get-sum`, in the order
 * of the tools. The same list always has the same prefixes. If two prefixes would be equal, the
 * later one gets a number.
 */
export function prefixesOf(names: readonly string[]): Map<string, string> {
  const used = new Set<string>()
  const prefixes = new Map<string, string>()
  for (const name of names) {
    const wanted = pascalCase(name)
    let prefix = wanted
    // The type names of two tools must differ too. For example, the tool `get` has the type
    // `GetArguments`, so the tool `get-arguments` must not have that name as its prefix.
    for (let number = 2; used.has(prefix.toLowerCase()) || taken.has(prefix); number += 1)
      prefix = `${wanted}${number}`
    used.add(prefix.toLowerCase())
    for (const suffix of ['Arguments', 'Result']) used.add(`${prefix}${suffix}`.toLowerCase())
    prefixes.set(name, prefix)
  }
  return prefixes
}

/** Joins the words of a name. Characters that identifiers cannot contain separate words. */
function pascalCase(name: string): string {
  const words = name.normalize('NFC').match(/[\p{ID_Start}\p{Nd}]+/gu) ?? []
  const joined = words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')
  return /^\p{ID_Start}/u.test(joined) ? joined : `Tool${joined}`
}
