import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Bodies up to this length, in bytes, are kept as they are. */
const shortLength = 64 * 1024

/** A body that is kept until the end of the run. A long body is compressed in memory. */
export class KeptBody {
  /** In bytes. */
  readonly length: number
  /** The memory that the body needs, in bytes. */
  readonly size: number
  private readonly short: Buffer | undefined
  private readonly compressed: Buffer | undefined
  private whole: WeakRef<Buffer> | undefined

  constructor(bytes: Buffer) {
    this.length = bytes.length
    if (bytes.length <= shortLength) this.short = bytes
    else this.compressed = deflateRawSync(bytes, { level: 1 })
    this.size = this.compressed?.length ?? bytes.length
  }

  get bytes(): Buffer {
    if (this.short !== undefined) return this.short
    let bytes = this.whole?.deref()
    if (bytes === undefined) {
      bytes = inflateRawSync(this.compressed!, { chunkSize: this.length })
      this.whole = new WeakRef(bytes)
    }
    return bytes
  }

  /** The first bytes, at most `length`. */
  start(length: number): Buffer {
    return this.bytes.subarray(0, length)
  }
}
