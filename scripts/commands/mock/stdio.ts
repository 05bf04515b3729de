import { UsageError } from '../../complain.ts'
import type { MockOptions } from './options.ts'

/** What the subprocess form has a use for, and what commander gives whoever asks for nothing. */
const known: readonly (keyof MockOptions)[] = [
  'stdio',
  'upstream',
  'consentScreen',
  'clientRegistration',
]

/** Serves one client over standard input and output, until its input ends. Nothing but messages is printed. */
export async function serve(names: readonly string[], options: MockOptions): Promise<void> {
  if (names.length !== 1 || names[0] !== 'tools')
    throw new UsageError('--stdio is for the tool server alone: touchstone mock tools --stdio')
  const other = (Object.keys(options) as (keyof MockOptions)[]).find(
    (name) => !known.includes(name),
  )
  if (other !== undefined)
    throw new UsageError(
      `--stdio cannot be combined with --${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    )
  const { serveStdio, completeChoices } = await import('../../../mocks/stateful/tools.ts')
  const { upstream } = options
  const server = await serveStdio(
    { choices: completeChoices, ...(upstream === undefined ? {} : { upstream: urlOf(upstream) }) },
    process.stdin,
    process.stdout,
  )
  const end = () => void server.close()
  process.once('SIGINT', end).once('SIGTERM', end)
  await server.closed
  process.exit(0)
}

/** The URL of an upstream, or of what else a flag names. */
export function urlOf(text: string, flag = '--upstream'): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${flag} has to be an http URL, not ${text}`)
  return text
}
