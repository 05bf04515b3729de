import { showHidden } from '../conformance/engine/hidden-characters.ts'
import { wrap } from '../conformance/report/wrap.ts'
import { whyUnwritable } from '../conformance/target-file/user-file.ts'
import { annotateFailure } from './annotate.ts'

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
  const { message: own, stack } = error instanceof Error ? error : new Error(String(error))
  const ofFile = fileErrorOf(error)
  const message = ofFile ?? own
  const known =
    ofFile !== undefined || (error instanceof Error && expected.has(error.constructor.name))
  annotateFailure(message, environment, words)
  const debug = (environment.TOUCHSTONE_DEBUG ?? '') !== '' || words.includes('--debug')
  process.stderr.write(`error: ${layOut(message)}\n`)
  if (debug && stack !== undefined) process.stderr.write(`${stack}\n`)
  else if (!known)
    process.stderr.write(
      '       This is a defect of Touchstone. TOUCHSTONE_DEBUG=1 shows where the error comes from.\n',
    )
  return 3
}

/** The start of the first line, by which the further lines are indented. */
const indent = 'error: '.length

/**
 * Lays out a message below "error: ". On a terminal, wraps its sentences at words. Lines that start
 * with a space are examples to copy, so they stay as they are.
 */
function layOut(message: string): string {
  const { isTTY, columns = 80 } = process.stderr
  const lines = message
    .split('\n')
    .map((line) =>
      isTTY && !line.startsWith(' ') ? wrap(line, columns, indent) : showHidden(line),
    )
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** Describes an error of the system about a file or folder, such as a full disk. */
function fileErrorOf(error: unknown): string | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException
  return error instanceof Error &&
    typeof path === 'string' &&
    syscall !== 'spawn' &&
    code !== undefined
    ? `${path} cannot be read or written: ${whyUnwritable(error)}`
    : undefined
}
