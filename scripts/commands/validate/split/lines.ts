import { Held, isSpace, newline, tooLong, type Splitter, type Taker } from './value.ts'

/** Splits at line ends: the quick way for large files, and a broken line costs no other. */
export class LineSplitter implements Splitter {
  private readonly taker: Taker
  private readonly held = new Held()
  private line = 0

  constructor(taker: Taker) {
    this.taker = taker
  }

  feed(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.line += 1
      if (this.held.empty) this.tell(chunk, from, at)
      else this.tellHeld(chunk.subarray(from, at))
      from = at + 1
    }
    this.held.add(chunk.subarray(from))
  }

  end(): void {
    this.line += 1
    if (!this.held.empty) this.tellHeld(Buffer.alloc(0))
  }

  private tellHeld(last: Buffer): void {
    const whole = this.held.whole(last)
    if (whole === undefined) this.taker.broken(tooLong, this.line)
    else this.tell(whole, 0, whole.length)
  }

  private tell(bytes: Buffer, from: number, to: number): void {
    const blank = from === to || (isSpace(bytes[from]) && bytes.subarray(from, to).every(isSpace))
    if (!blank) this.taker.value(bytes, from, to, this.line)
  }
}
