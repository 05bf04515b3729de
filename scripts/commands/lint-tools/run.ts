import { findingsOf, ruleRequirements } from '../../../conformance/definitions/index.ts'
import { UsageError } from '../../print-error.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { fetchTools, type ToolServerOptions } from '../tool-list/live.ts'
import { print } from './print.ts'
import { readTools } from '../tool-list/saved.ts'

/** The options as commander returns them. */
interface Options extends ToolServerOptions {
  serverName?: string
  strict?: boolean
  ignore?: readonly string[]
  json?: boolean
}

/**
 * Runs `touchstone lint-tools`: checks the definitions of a file or server, and prints findings.
 */
export async function run(file: string | undefined, options: Options): Promise<void> {
  const requested = (['http', 'sse', 'stdio'] as const).filter(
    (transport) => options[transport] !== undefined,
  )
  const [transport] = requested
  if (requested.length + (file === undefined ? 0 : 1) > 1)
    throw new UsageError('only one source is possible: a file, --http, --sse or --stdio.')
  const ignored = ignoredRules(options.ignore)
  exitOnClosedOutput()
  const { tools, basePath, serverName, more } =
    transport === undefined ? await readTools(file) : await fetchTools(transport, options)
  if (tools.length === 0)
    throw new UsageError(
      `no tools found: the list ${transport === undefined ? `in ${file ?? 'standard input'}` : 'of the server'} is empty.`,
    )
  if (more) process.stderr.write('note: the result has a nextCursor, so these are not all tools.\n')
  const findings = findingsOf(tools, options.serverName ?? serverName, basePath).filter(
    ({ rule, requirement }) => !ignored.has(rule) && !ignored.has(requirement),
  )
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const exit = errors > 0 || (options.strict === true && findings.length > 0) ? 1 : 0
  print(
    findings,
    { tools: tools.length, errors, warnings: findings.length - errors, exit },
    options.json === true,
  )
  process.exitCode = exit
}

/** Returns the rules and requirements to ignore. Throws `UsageError` if a name is unknown. */
function ignoredRules(names: readonly string[] = []): ReadonlySet<string> {
  const known = new Set<string>(Object.entries(ruleRequirements).flat())
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new UsageError(
      `there is no rule ${unknown}. The rules are ${Object.keys(ruleRequirements).join(', ')}.`,
    )
  return new Set(names)
}
