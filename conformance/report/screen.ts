import { isAbsolute, relative } from 'node:path'
import { createColors } from 'picocolors'
import { wrap } from './wrap.ts'

/**
 * Makes a path below the working directory relative to it. Returns other paths unchanged.
 */
export function nearPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}

/** The stream that the console reporter writes to, which may be a terminal. */
export interface Out {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

export type Colors = ReturnType<typeof createColors>

/** Writes lines. On a terminal, also writes a progress line, which the next output replaces. */
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

  /** Characters in a line: the columns of the terminal, or 120 without a terminal. */
  get width(): number {
    return this.live ? Math.max(40, this.out.columns ?? 80) : 120
  }

  line(text = ''): void {
    this.clear()
    this.out.write(`${text}\n`)
  }

  /** Replaces the progress line. Does nothing without a terminal. */
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

  /** Wraps a string to the width of the screen, and indents all lines but the first. */
  wrap(text: string, indent: number): string {
    return wrap(text, this.width, indent)
  }
}
