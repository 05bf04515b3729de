import {
  PendingBytes,
  isSpace,
  newline,
  tooLong,
  type Splitter,
  type ValueHandler,
} from './value.ts'

const [quote, comma, openList, backslash, closeList, openMap, closeMap] = [
  34, 44, 91, 92, 93, 123, 125,
]

/**
 * Splits JSON of any layout into values, and an array into its elements. Does not keep the whole
 * file in memory.
 */
export class JsonSplitter implements Splitter {
  private readonly handler: ValueHandler
  private readonly pending = new PendingBytes()
  private line = 1
  private began = 1
  /** The index of the next element of the outer array; undefined outside of an array. */
  private index: number | undefined
  private state: 'between' | 'word' | 'string or structure' = 'between'
  private depth = 0
  private inString = false
  private escaped = false

  constructor(handler: ValueHandler) {
    this.handler = handler
  }

  feed(chunk: Buffer): void {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      // Most bytes are in strings, where only quotes and backslashes matter.
      if (this.inString && !this.escaped)
        while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at += 1
      const byte = chunk[at]
      if (byte === undefined) break
      if (byte === newline) this.line += 1
      if (this.state === 'between') {
        if (this.begins(byte)) from = at
      } else if (this.state === 'word') {
        if (!isSpace(byte) && byte !== comma && byte !== closeList) continue
        this.handle(chunk.subarray(from, at))
        if (byte === closeList) this.index = undefined
      } else if (this.ends(byte)) this.handle(chunk.subarray(from, at + 1))
    }
    if (this.state !== 'between') this.pending.add(chunk.subarray(from))
  }

  end(): void {
    if (this.state !== 'between') this.handle(Buffer.alloc(0))
    else if (this.index !== undefined)
      this.handler.broken('an array without an end', this.line, this.index)
  }

  /**
   * If this byte begins a value, starts the value and returns true. Brackets and commas of the
   * outer array do not begin values.
   */
  private begins(byte: number): boolean {
    if (isSpace(byte) || byte === comma) return false
    if (byte === (this.index === undefined ? openList : closeList)) {
      this.index = this.index === undefined ? 0 : undefined
      return false
    }
    const structure = byte === openMap || byte === openList
    this.began = this.line
    this.depth = structure ? 1 : 0
    this.inString = byte === quote
    this.state = structure || this.inString ? 'string or structure' : 'word'
    return true
  }

  /** Updates the state for a byte of a string or structure. Returns whether it ends there. */
  private ends(byte: number): boolean {
    if (this.inString) {
      if (this.escaped) this.escaped = false
      else if (byte === backslash) this.escaped = true
      else if (byte === quote) this.inString = false
    } else if (byte === quote) this.inString = true
    else if (byte === openMap || byte === openList) this.depth += 1
    else if (byte === closeMap || byte === closeList) this.depth -= 1
    return this.depth === 0 && !this.inString
  }

  private handle(last: Buffer): void {
    const { index } = this
    this.state = 'between'
    if (index !== undefined) this.index = index + 1
    const whole = this.pending.whole(last)
    if (whole === undefined) this.handler.broken(tooLong, this.began, index)
    else this.handler.value(whole, 0, whole.length, this.began, index)
  }
}
