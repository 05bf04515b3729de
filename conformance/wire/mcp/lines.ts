const LF = 0x0a

/** Cuts a stream of bytes into lines that end in a line feed. */
export class Lines {
  private readonly line: (line: Buffer) => void
  private readonly tooLong: () => void
  private readonly maxBytes: number
  private rest: Buffer[] = []
  private size = 0

  constructor(maxBytes: number, line: (line: Buffer) => void, tooLong: () => void) {
    this.maxBytes = maxBytes
    this.line = line
    this.tooLong = tooLong
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.line(Buffer.concat([...this.take(), chunk.subarray(from, at)]))
      from = at + 1
    }
    if (from === chunk.length) return
    this.rest.push(chunk.subarray(from))
    this.size += chunk.length - from
    if (this.size > this.maxBytes) {
      this.take()
      this.tooLong()
    }
  }

  /** What came after the last line feed. */
  take(): Buffer[] {
    const { rest } = this
    this.rest = []
    this.size = 0
    return rest
  }
}
