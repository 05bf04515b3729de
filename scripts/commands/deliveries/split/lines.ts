import {
  PendingBytes,
  isSpace,
  newline,
  tooLong,
  type Splitter,
  type ValueHandler,
} from './value.ts'

/**
 * Splits at line ends. That is fast for large files, and an invalid line does not affect others.
 */
export class LineSplitter implements Splitter {
  private readonly handler: ValueHandler
  private readonly pending = new PendingBytes()
  private line = 0

  constructor(handler: ValueHandler) {
    this.handler = handler
  }

  feed(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.line += 1
      if (this.pending.empty) this.handle(chunk, from, at)
      else this.handlePending(chunk.subarray(from, at))
      from = at + 1
    }
    this.pending.add(chunk.subarray(from))
  }

  end(): void {
    this.line += 1
    if (!this.pending.empty) this.handlePending(Buffer.alloc(0))
  }

  private handlePending(last: Buffer): void {
    const whole = this.pending.whole(last)
    if (whole === undefined) this.handler.broken(tooLong, this.line)
    else this.handle(whole, 0, whole.length)
  }

  private handle(bytes: Buffer, from: number, to: number): void {
    const blank = from === to || (isSpace(bytes[from]) && bytes.subarray(from, to).every(isSpace))
    if (!blank) this.handler.value(bytes, from, to, this.line)
  }
}
