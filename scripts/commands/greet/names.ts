import { createInterface, type Interface } from 'node:readline'

/** Where names come from, one by one, and a place to print beside somebody who types. */
export interface Names extends AsyncIterable<string> {
  /** Prints a line without getting in the way of what is being typed. */
  print(line: string): void
  close(): void
}

/** Names from lines: what somebody types at a terminal, with a prompt, or what is piped in. Empty lines are passed over. */
export function namesFrom(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
  interrupted: () => void,
): Names {
  const typed = input.isTTY === true
  const lines: Interface = createInterface({
    input,
    ...(typed ? { output, prompt: 'name> ' } : {}),
  })
  lines.on('SIGINT', interrupted)
  if (typed) lines.prompt()
  return {
    async *[Symbol.asyncIterator]() {
      for await (const line of lines) {
        if (line.trim() !== '') yield line.trim()
        if (typed) lines.prompt()
      }
    },
    print(line) {
      output.write(typed ? `\r\u001b[K${line}\n` : `${line}\n`)
      if (typed) lines.prompt(true)
    },
    close() {
      lines.close()
      // Nobody is asked any more.
      if (typed) output.write('\r\u001b[K')
    },
  }
}

/** Names that are known from the beginning. */
export function givenNames(names: readonly string[], output: NodeJS.WritableStream): Names {
  return {
    async *[Symbol.asyncIterator]() {
      yield* names
    },
    print: (line) => void output.write(`${line}\n`),
    close: () => {},
  }
}
