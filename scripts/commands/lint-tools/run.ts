import { requirements } from '../../../generated/requirements/index.ts'
import { findingsOf, ruleRequirements } from '../../../conformance/definitions/index.ts'
import { count } from '../../../conformance/report/explanation.ts'
import { annotateFailure } from '../../annotate.ts'
import { UsageError } from '../../print-error.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { fetchTools, type ToolServerOptions } from '../tool-list/live.ts'
import { print } from './print.ts'
import { serverIn } from '../tool-list/source.ts'
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
export async function run(source: string | undefined, given: Options): Promise<void> {
  // Like `test` and `types`, accepts a server without an option.
  const server = source === undefined ? undefined : serverIn(source)
  if (server !== undefined && given[server.transport] !== undefined) throw onlyOneSource()
  const file = server === undefined ? source : undefined
  const options = server === undefined ? given : { ...given, [server.transport]: server.address }
  const requested = (['http', 'sse', 'stdio'] as const).filter(
    (transport) => options[transport] !== undefined,
  )
  const [transport] = requested
  if (requested.length + (file === undefined ? 0 : 1) > 1) throw onlyOneSource()
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
  const conventions = findings.filter(
    ({ severity, requirement }) =>
      severity === 'error' && requirements[requirement].profile === 'conventions',
  ).length
  print(
    findings,
    { tools: tools.length, errors, conventions, warnings: findings.length - errors, exit },
    options.json === true,
  )
  process.exitCode = exit
  if (exit !== 0) {
    const of = (severity: string, number: number) => (number === 0 ? [] : [count(number, severity)])
    const warnings = findings.length - errors
    annotateFailure(
      `the definitions of ${count(tools.length, 'tool')} have ${[...of('error', errors), ...of('warning', warnings)].join(' and ')}`,
    )
  }
}

const onlyOneSource = () =>
  new UsageError('only one source is possible: a file, a URL, --http, --sse or --stdio.')

/**
 * Returns the rules and requirements to ignore. A name can also be the beginning of requirement
 * ids, such as `TOOL-HINT`. Throws `UsageError` if a name is unknown.
 */
function ignoredRules(names: readonly string[] = []): ReadonlySet<string> {
  const known = [...new Set<string>(Object.entries(ruleRequirements).flat())]
  return new Set(
    names.flatMap((name) => {
      const matching = known.filter((one) => one === name || one.startsWith(`${name}-`))
      if (matching.length === 0)
        throw new UsageError(
          `there is no rule or requirement ${name}. Findings end with both in brackets. The rules are ${Object.keys(ruleRequirements).join(', ')}.`,
        )
      // The name of a rule can begin with the name of another.
      return known.includes(name) ? [name] : matching
    }),
  )
}
