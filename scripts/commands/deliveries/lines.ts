import type { Out } from '../../../conformance/report/screen.ts'
import { isClosed, isFull } from '../../stop-signals.ts'

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
 * Exits when an output can no longer be written: silently if its reader has closed it, as in
 * `… | head`, or the terminal was closed, and with 3 if the disk is full. The error occurs
 * when the next line is written.
 */
export function exitOnClosedOutput(
  outputs: readonly NodeJS.WriteStream[] = [process.stdout],
): void {
  for (const output of outputs) {
    if (watched.has(output)) continue
    watched.add(output)
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosed(error)) process.exit(141)
      if (!isFull(error)) throw error
      // `ignoreClosedOutput` has said so. Without a log on standard error, a mock still works.
      if (output !== process.stderr) process.exit(3)
    })
  }
}
