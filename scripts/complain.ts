/** A mistake in how the command was called. The message is for people. */
export class UsageError extends Error {}

/** Errors that people can put right; their message says how. */
const expected = new Set(['UsageError', 'TargetError', 'SelectionError'])

/** Tells an error to the person at the terminal, without a stack trace; returns the exit status, 3. */
export function complain(
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
      '       This was not foreseen. TOUCHSTONE_DEBUG=1 shows where it comes from.\n',
    )
  return 3
}
