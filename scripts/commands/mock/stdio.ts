import { UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import { openAuditLog } from './audit-log.ts'
import type { MockOptions } from './options.ts'
import { newRequestLog } from './request-log.ts'
import { readSeed } from './seed.ts'

/**
 * The options that can be combined with --transport stdio, and options that commander always sets.
 */
const allowed: readonly (keyof MockOptions)[] = [
  'transport',
  'auditLog',
  'everything',
  'seed',
  'upstream',
  'consentScreen',
  'clientRegistration',
  'cors',
  'quiet',
]

/**
 * Serves one client over standard input and output until the input ends. Prints only protocol
 * messages to standard output. Throws a `UsageError` for other mocks and other options.
 */
export async function serve(names: readonly string[], options: MockOptions): Promise<void> {
  if (names.length !== 1 || names[0] !== 'tools')
    throw new UsageError(
      '--transport stdio can only be used with the tool server alone: npx touchstone mock tools --transport stdio',
    )
  const other = (Object.keys(options) as (keyof MockOptions)[]).find(
    (name) => !allowed.includes(name),
  )
  if (other !== undefined)
    throw new UsageError(
      `--transport stdio cannot be combined with --${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    )
  const { newCallLog, serveStdio, completeChoices } =
    await import('../../../mocks/stateful/tools.ts')
  const { upstream, auditLog, everything = false, quiet = false, seed } = options
  const initial = seed === undefined ? undefined : await readSeed(seed, { upstream })
  const server = await serveStdio(
    {
      choices: completeChoices,
      everything,
      ...(quiet ? {} : { message: newCallLog(newRequestLog(false).add) }),
      ...(upstream === undefined ? {} : { upstream: urlOf(upstream) }),
      ...(initial === undefined ? {} : { initial }),
      ...(auditLog === undefined ? {} : { onAuditEntry: openAuditLog(auditLog) }),
    },
    process.stdin,
    process.stdout,
  )
  const stop = () => {
    // The next signal ends the process immediately.
    removeListener()
    void server.close()
  }
  const removeListener = onStopSignal(stop)
  await server.closed
  process.exit(0)
}

/** Requires that the value of an option is an HTTP URL. */
export function urlOf(text: string, flag = '--upstream'): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${flag} must be an http or https URL, not ${text}`)
  return text
}
