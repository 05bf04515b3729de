import { UsageError } from '../../print-error.ts'

const part = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)/gsy

/**
 * Splits a command line into words. Of shell syntax, supports only quotes and backslashes. Throws a
 * `UsageError` if there are no words or a quote is not closed.
 */
export function splitCommand(line: string, flag: string): string[] {
  const words: string[] = []
  /** Whether the next piece belongs to the last word. */
  let isInWord = false
  part.lastIndex = 0
  while (part.lastIndex < line.length) {
    const found = part.exec(line)
    if (found === null)
      throw new UsageError(
        `${flag}: a quote is not closed, or the line ends with a backslash: ${line}`,
      )
    const [, double, single, escaped, bare] = found
    const piece = double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? bare
    if (piece === undefined) isInWord = false
    else if (isInWord) words.push(`${words.pop() ?? ''}${piece}`)
    else words.push(piece)
    if (piece !== undefined) isInWord = true
  }
  if (words.length === 0)
    throw new UsageError(`${flag} must be a command, such as "node server.js"`)
  return words
}
