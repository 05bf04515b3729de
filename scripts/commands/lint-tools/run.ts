import { findingsOf } from '../../../conformance/checks/tools/support/definition/index.ts'
import { UsageError } from '../../complain.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { ask, type Places } from './live.ts'
import { print } from './print.ts'
import { readTools } from './saved.ts'

/** The options as commander gives them. */
interface Options extends Places {
  serverName?: string
  strict?: boolean
  json?: boolean
}

/** `touchstone lint-tools`: judges what a file or a server shows, tells each finding, and ends with 1 where there are errors. */
export async function run(file: string | undefined, options: Options): Promise<void> {
  const asked = (['http', 'sse', 'stdio'] as const).filter(
    (transport) => options[transport] !== undefined,
  )
  const [transport] = asked
  if (asked.length + (file === undefined ? 0 : 1) > 1)
    throw new UsageError(
      'a file or one server at a time: leave out all but one of the file, --http, --sse and --stdio.',
    )
  exitOnClosedOutput()
  const { tools, at, serverName, more } =
    transport === undefined ? await readTools(file) : await ask(transport, options)
  if (tools.length === 0)
    throw new UsageError(
      `no tools found: ${transport === undefined ? 'the list' : 'the list that the server gives'} is empty.`,
    )
  if (more)
    process.stderr.write(
      'note: the result has a nextCursor, so this is only a part of the tools.\n',
    )
  const findings = findingsOf(tools, options.serverName ?? serverName, at)
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const exit = errors > 0 || (options.strict === true && findings.length > 0) ? 1 : 0
  print(
    findings,
    { tools: tools.length, errors, warnings: findings.length - errors, exit },
    options.json === true,
  )
  process.exitCode = exit
}
