import type { Out } from '../../../conformance/report/screen.ts'

/** Lines are written when the buffer has more characters than this. */
const bufferSize = 64 * 1024

/** Writes lines in large chunks. */
export class LineWriter {
  private readonly out: Out
  private text = ''

  constructor(out: Out = process.stdout) {
    this.out = out
  }

  add(line: string): void {
    this.text += `${line}\n`
    if (this.text.length > bufferSize) this.flush()
  }

  flush(): void {
    if (this.text !== '') this.out.write(this.text)
    this.text = ''
  }
}

const watched = new Set<NodeJS.WriteStream>()

/**
 * Exits silently when an output can no longer be written, because its reader has closed it, as in
 * `… | head`, or the terminal was closed. The error occurs when the next line is written.
 */
export function exitOnClosedOutput(
  outputs: readonly NodeJS.WriteStream[] = [process.stdout],
): void {
  for (const output of outputs) {
    if (watched.has(output)) continue
    watched.add(output)
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'EIO') process.exit(141)
      throw error
    })
  }
}
