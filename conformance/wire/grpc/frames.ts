import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'

/** Bytes that a frame has before its message. */
export const headerBytes = 5

/** A message in its frame: a byte that tells whether it is compressed, four that tell its length, the message. */
export function frameOf(message: Uint8Array, { gzip = false } = {}): Buffer {
  const body = gzip ? gzipSync(message) : message
  const frame = Buffer.allocUnsafe(headerBytes + body.byteLength)
  frame.writeUInt8(gzip ? 1 : 0, 0)
  frame.writeUInt32BE(body.byteLength, 1)
  frame.set(body, headerBytes)
  return frame
}

/** A message as it came out of its frame, or why there is none in it. */
export type DeframedMessage = { bytes: Buffer } | { problem: string }

/** Takes messages out of a stream of bytes, whatever pieces it comes in. After a problem it reads no further: nobody knows where the next frame begins. */
export class Deframer {
  private readonly maxMessageBytes: number
  private pieces: Buffer[] = []
  private size = 0
  private broken = false

  constructor(maxMessageBytes: number) {
    this.maxMessageBytes = maxMessageBytes
  }

  /** Bytes that belong to a frame of which the rest has not come. */
  get rest(): number {
    return this.size
  }

  /** The messages that are complete with this piece. `coding` is what the server says that its compressed messages are coded with. */
  push(piece: Buffer, coding: string | undefined): DeframedMessage[] {
    if (this.broken) return []
    this.pieces.push(piece)
    this.size += piece.length
    const found: DeframedMessage[] = []
    while (this.size >= headerBytes && !this.broken) {
      const head = this.peek()
      const length = head.readUInt32BE(1)
      if (head[0]! > 1)
        found.push(this.breakOff(`a frame begins with ${head[0]}, which is neither 0 nor 1`))
      else if (length > this.maxMessageBytes)
        found.push(
          this.breakOff(
            `a message of ${length} bytes is announced; ${this.maxMessageBytes} are read at most`,
          ),
        )
      else if (this.size < headerBytes + length) break
      else found.push(this.unpack(this.take(headerBytes + length), coding))
    }
    return found
  }

  private unpack(frame: Buffer, coding: string | undefined): DeframedMessage {
    const body = frame.subarray(headerBytes)
    if (frame[0] === 0) return { bytes: body }
    try {
      const maxOutputLength = this.maxMessageBytes
      if (coding === 'gzip') return { bytes: gunzipSync(body, { maxOutputLength }) }
      if (coding === 'deflate') return { bytes: inflateSync(body, { maxOutputLength }) }
      return { problem: `a message is compressed, and grpc-encoding is ${coding ?? 'not given'}` }
    } catch (error) {
      return {
        problem: `a message says that it is compressed with ${coding}, and cannot be unfolded: ${(error as Error).message}`,
      }
    }
  }

  private breakOff(problem: string): DeframedMessage {
    this.broken = true
    this.pieces = []
    this.size = 0
    return { problem }
  }

  /** The first bytes, in one piece. */
  private peek(): Buffer {
    if (this.pieces[0]!.length < headerBytes) this.pieces = [Buffer.concat(this.pieces)]
    return this.pieces[0]!
  }

  private take(length: number): Buffer {
    if (this.pieces[0]!.length < length) this.pieces = [Buffer.concat(this.pieces)]
    const [first, ...others] = this.pieces as [Buffer, ...Buffer[]]
    this.pieces = first.length === length ? others : [first.subarray(length), ...others]
    this.size -= length
    return first.subarray(0, length)
  }
}
