/**
 * Returns a line about the variables that the printed commands read, but that do not have the value
 * of this run: because it comes from an option, from the target file, or from a variable with
 * another name. Undefined if the commands run as printed. `secrets` are the values by the names of
 * the variables that replace them.
 */
export function describeUnsetVariables(
  commands: readonly string[],
  secrets: Readonly<Record<string, string | undefined>>,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const read = new Set(
    commands.flatMap((command) =>
      [...command.matchAll(/\$\{?(\w+)/g)].map(([, variable]) => variable),
    ),
  )
  const unset = Object.entries(secrets)
    .filter(([name, value]) => value !== undefined && read.has(name) && environment[name] !== value)
    .map(([name]) => name)
  if (unset.length === 0) return undefined
  const [variables, have] =
    unset.length === 1 ? ['a variable', 'is not set'] : ['variables', 'are not set']
  return `The commands above read ${variables} that ${have} to the value of this run. Next: export ${unset.map((name) => `${name}=…`).join(' ')}`
}
