/**
 * Receives each value of a file: its bytes (`from` inclusive, `to` exclusive), the number of its
 * first line, and its index if it is an element of an array.
 */
export interface ValueHandler {
  value(bytes: Buffer, from: number, to: number, line: number, index?: number): void
  /** Receives the reason why a value is missing or cannot be read. */
  broken(why: string, line: number, index?: number): void
}

/** Splits a stream of bytes into values. */
export interface Splitter {
  feed(chunk: Buffer): void
  end(): void
}

/** The largest size of a value, in bytes. It limits the memory that a file needs. */
const maxBytes = 64 * 1024 * 1024

/** The beginning of an incomplete value. */
export class PendingBytes {
  private parts: Buffer[] = []
  private length = 0

  get empty(): boolean {
    return this.length === 0
  }

  add(part: Buffer): void {
    this.length += part.length
    if (this.length > maxBytes) this.parts = []
    else if (part.length > 0) this.parts.push(part)
  }

  /**
   * Returns the whole value, which ends with `last`, and clears the buffer. Undefined if the value
   * was too long.
   */
  whole(last: Buffer): Buffer | undefined {
    this.add(last)
    const { parts, length } = this
    this.parts = []
    this.length = 0
    if (length > maxBytes) return undefined
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }
}

export const tooLong = `longer than ${maxBytes / 1024 / 1024} MiB`
export const newline = 10
export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === newline || byte === 13 || byte === 9
