import type { Out } from '../../../conformance/report/screen.ts'

/** Characters that are collected before they are written. */
const enough = 64 * 1024

/** Writes many lines in few pieces. */
export class LineWriter {
  private readonly out: Out
  private text = ''

  constructor(out: Out = process.stdout) {
    this.out = out
  }

  add(line: string): void {
    this.text += `${line}\n`
    if (this.text.length > enough) this.flush()
  }

  flush(): void {
    if (this.text !== '') this.out.write(this.text)
    this.text = ''
  }
}

let watched = false

/** Ends the process, without a word, when nobody reads its output any more: `… | head`. */
export function endWithReader(): void {
  if (watched) return
  watched = true
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(141)
    throw error
  })
}
