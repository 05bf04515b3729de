/** A mistake in the way the command was called. */
export class UsageError extends Error {}

/** The names of errors that a user can fix. Their messages explain how. */
const expected = new Set(['UsageError', 'TargetError', 'SelectionError'])

/** Prints an error to standard error, without a stack trace. Returns the exit status, 3. */
export function printError(
  error: unknown,
  environment: NodeJS.ProcessEnv = process.env,
  words: readonly string[] = process.argv,
): 3 {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const known = error instanceof Error && expected.has(error.constructor.name)
  const debug = (environment.TOUCHSTONE_DEBUG ?? '') !== '' || words.includes('--debug')
  process.stderr.write(`error: ${message.replaceAll('\n', '\n       ')}\n`)
  if (debug && stack !== undefined) process.stderr.write(`${stack}\n`)
  else if (!known)
    process.stderr.write(
      '       This is a defect of Touchstone. TOUCHSTONE_DEBUG=1 shows where the error comes from.\n',
    )
  return 3
}
