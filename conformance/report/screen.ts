import { createColors } from 'picocolors'
import { plain } from './story.ts'

/** Where the console reporter writes: a stream, of which a terminal may be the end. */
export interface Out {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

export type Colors = ReturnType<typeof createColors>

/** Lines on a stream; on a terminal a last line that comes and goes. */
export class Screen {
  readonly color: Colors
  private readonly out: Out
  private shown = false

  constructor(out: Out, environment: NodeJS.ProcessEnv = process.env) {
    this.out = out
    const { NO_COLOR = '', FORCE_COLOR = '', TERM } = environment
    this.color = createColors(
      NO_COLOR === '' &&
        (FORCE_COLOR === '' ? out.isTTY === true && TERM !== 'dumb' : FORCE_COLOR !== '0'),
    )
  }

  get live(): boolean {
    return this.out.isTTY === true
  }

  /** Characters in a line; none of them is too many where no terminal cuts it. */
  get width(): number {
    return this.live ? Math.max(40, this.out.columns ?? 80) : 120
  }

  line(text = ''): void {
    this.clear()
    this.out.write(`${text}\n`)
  }

  /** Shows the last line, in place of the one before. Plain output has none. */
  progress(text: string): void {
    if (!this.live) return
    this.out.write(`\r\u001b[2K${this.color.dim(text.slice(0, this.width - 1))}`)
    this.shown = true
  }

  clear(): void {
    if (!this.shown) return
    this.out.write('\r\u001b[2K')
    this.shown = false
  }

  /** Breaks a text at spaces, all lines but the first indented; what the target wrote cannot steer the terminal. */
  wrap(text: string, indent: number): string {
    const room = Math.max(30, this.width - indent)
    const lines: string[] = []
    for (const paragraph of plain(text).split('\n')) {
      let rest = paragraph
      while (rest.length > room) {
        const space = rest.lastIndexOf(' ', room)
        const cut = space > room / 2 ? space : room
        lines.push(rest.slice(0, cut))
        rest = rest.slice(cut).trimStart()
      }
      lines.push(rest)
    }
    return lines.join(`\n${' '.repeat(indent)}`)
  }
}
