/** Told of each value of a file: where its bytes are, at which line it begins, and its place where it stands in an array. */
export interface ValueHandler {
  value(bytes: Buffer, from: number, to: number, line: number, index?: number): void
  /** There is a value, or should be one, that cannot be read. */
  broken(why: string, line: number, index?: number): void
}

/** Splits bytes, as they come, into values. */
export interface Splitter {
  feed(chunk: Buffer): void
  end(): void
}

/** Bytes of the longest value that is read: whatever a file holds, no more of it than this is in memory. */
const longest = 64 * 1024 * 1024

/** The beginning of a value whose end has not come yet. */
export class PendingBytes {
  private parts: Buffer[] = []
  private length = 0

  get empty(): boolean {
    return this.length === 0
  }

  add(part: Buffer): void {
    this.length += part.length
    if (this.length > longest) this.parts = []
    else if (part.length > 0) this.parts.push(part)
  }

  /** All of it with its last part, which leaves nothing pending; undefined where it was too long. */
  whole(last: Buffer): Buffer | undefined {
    this.add(last)
    const { parts, length } = this
    this.parts = []
    this.length = 0
    if (length > longest) return undefined
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }
}

export const tooLong = `longer than ${longest / 1024 / 1024} MB`
export const newline = 10
export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === newline || byte === 13 || byte === 9
