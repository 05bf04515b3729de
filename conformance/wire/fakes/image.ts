import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A small grey PNG (W3C PNG, third edition), which every image service accepts. */
export function smallPng(): Uint8Array {
  return encodePng(8, 8)
}

/**
 * A valid PNG of exactly this many bytes: a small image with an ancillary chunk of noise, which
 * decoders ignore.
 */
export function pngOfSize(bytes: number): Uint8Array {
  const bare = encodePng(8, 8)
  const room = bytes - bare.length - 12
  if (room < 0) throw new RangeError(`a PNG cannot have only ${bytes} bytes`)
  const end = bare.length - 12
  return Buffer.concat([
    bare.subarray(0, end),
    encodeChunk('tsNo', randomBytes(room)),
    bare.subarray(end),
  ])
}

function encodePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8) // 8 bits of grey, no interlace
  const rows = Buffer.alloc(height * (width + 1), 0x80)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0 // no filter
  return Buffer.concat([
    signature,
    encodeChunk('IHDR', header),
    encodeChunk('IDAT', deflateSync(rows)),
    encodeChunk('IEND', Buffer.alloc(0)),
  ])
}

function encodeChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
