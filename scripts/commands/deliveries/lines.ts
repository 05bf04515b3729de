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

let watched = false

/** Exits silently when the reader of the output has closed it, as in `… | head`. */
export function exitOnClosedOutput(): void {
  if (watched) return
  watched = true
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(141)
    throw error
  })
}
