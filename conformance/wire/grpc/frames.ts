import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'

/** Length of a frame header, in bytes. */
export const headerBytes = 5

/**
 * Encodes a message in a frame: a byte for compression, four bytes for the length, the message.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#requests
 */
export function frameOf(message: Uint8Array, { gzip = false } = {}): Buffer {
  const body = gzip ? gzipSync(message) : message
  const frame = Buffer.allocUnsafe(headerBytes + body.byteLength)
  frame.writeUInt8(gzip ? 1 : 0, 0)
  frame.writeUInt32BE(body.byteLength, 1)
  frame.set(body, headerBytes)
  return frame
}

/** A message from a frame, or what is wrong with the frame. */
export type DeframedMessage = { bytes: Buffer; isCompressed: boolean } | { problem: string }

/**
 * Reads messages from a stream of bytes, which can arrive in pieces of any size. Stops reading
 * after an invalid frame header, because the start of the next frame is unknown.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#responses
 */
export class Deframer {
  private readonly maxMessageBytes: number
  private pieces: Buffer[] = []
  private size = 0
  private broken = false

  constructor(maxMessageBytes: number) {
    this.maxMessageBytes = maxMessageBytes
  }

  /** How many bytes of an incomplete frame were received. */
  get rest(): number {
    return this.size
  }

  /** Returns the messages that this piece completes. `coding` is the value of grpc-encoding. */
  push(piece: Buffer, coding: string | undefined): DeframedMessage[] {
    if (this.broken) return []
    this.pieces.push(piece)
    this.size += piece.length
    const found: DeframedMessage[] = []
    while (this.size >= headerBytes && !this.broken) {
      const head = this.peek()
      const length = head.readUInt32BE(1)
      if (head[0]! > 1)
        found.push(this.breakOff(`a frame starts with ${head[0]} and not with 0 or 1`))
      else if (length > this.maxMessageBytes)
        found.push(
          this.breakOff(
            `a message of ${length} bytes is announced; ${this.maxMessageBytes} is the maximum`,
          ),
        )
      else if (this.size < headerBytes + length) break
      else found.push(this.unpack(this.take(headerBytes + length), coding))
    }
    return found
  }

  private unpack(frame: Buffer, coding: string | undefined): DeframedMessage {
    const body = frame.subarray(headerBytes)
    if (frame[0] === 0) return { bytes: body, isCompressed: false }
    try {
      const decompress =
        coding === 'gzip' ? gunzipSync : coding === 'deflate' ? inflateSync : undefined
      if (decompress !== undefined)
        return {
          bytes: decompress(body, { maxOutputLength: this.maxMessageBytes }),
          isCompressed: true,
        }
      return { problem: `a message is compressed, but grpc-encoding is ${coding ?? 'missing'}` }
    } catch (error) {
      return {
        problem: `a message cannot be decompressed with ${coding}: ${(error as Error).message}`,
      }
    }
  }

  private breakOff(problem: string): DeframedMessage {
    this.broken = true
    this.pieces = []
    this.size = 0
    return { problem }
  }

  /** Makes the header contiguous, and returns the piece that contains it. */
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
