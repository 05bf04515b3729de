import { createInterface, type Interface } from 'node:readline'

/** A source of names to greet. It can print responses while the user types a name. */
export interface NameSource extends AsyncIterable<string> {
  /** Prints a line above the line that the user types. */
  print(line: string): void
  close(): void
}

/** Reads names from lines, with a prompt if the input is a terminal. Ignores empty lines. */
export function namesFromInput(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
  onInterrupt: () => void,
): NameSource {
  const isTerminal = input.isTTY === true
  const lines: Interface = createInterface({
    input,
    ...(isTerminal ? { output, prompt: 'name> ' } : {}),
  })
  lines.on('SIGINT', onInterrupt)
  if (isTerminal) lines.prompt()
  return {
    async *[Symbol.asyncIterator]() {
      for await (const line of lines) {
        if (line.trim() !== '') yield line.trim()
        if (isTerminal) lines.prompt()
      }
    },
    print(line) {
      output.write(isTerminal ? `\r\u001b[K${line}\n` : `${line}\n`)
      if (isTerminal) lines.prompt(true)
    },
    close() {
      lines.close()
      // Clears the prompt.
      if (isTerminal) output.write('\r\u001b[K')
    },
  }
}

/** Returns a source of the names that the command line contains. */
export function namesFromList(names: readonly string[], output: NodeJS.WritableStream): NameSource {
  return {
    async *[Symbol.asyncIterator]() {
      yield* names
    },
    print: (line) => void output.write(`${line}\n`),
    close: () => {},
  }
}
