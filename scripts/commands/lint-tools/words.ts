import { UsageError } from '../../complain.ts'

const part = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)/gsy

/** The words of a command line, quoted as shells do it; nothing else of a shell is known. Throws `UsageError` where there is none, or a quote stays open. */
export function wordsOf(line: string, flag: string): string[] {
  const words: string[] = []
  let open = false
  part.lastIndex = 0
  while (part.lastIndex < line.length) {
    const found = part.exec(line)
    if (found === null)
      throw new UsageError(`${flag}: a quote, or what follows a backslash, is missing in ${line}`)
    const [, double, single, escaped, bare] = found
    const piece = double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? bare
    if (piece === undefined) open = false
    else if (open) words.push(`${words.pop() ?? ''}${piece}`)
    else words.push(piece)
    if (piece !== undefined) open = true
  }
  if (words.length === 0)
    throw new UsageError(`${flag} has to name a command, such as "node server.js"`)
  return words
}
