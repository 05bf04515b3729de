// A small PNG codec: decodes every colour type to RGBA, encodes RGBA with 8 bits.
import { deflateSync, inflateSync } from 'node:zlib'

export interface Picture {
  width: number
  height: number
  data: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxPixels = 30_000_000

const table = new Uint32Array(256).map((_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (table[(value ^ byte) & 255] as number) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature)

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc(body), body.length + 4)
  return out
}

interface Head {
  width: number
  height: number
  depth: number
  colour: number
  interlaced: boolean
}

const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function unfilter(raw: Buffer, at: number, rowBytes: number, rows: number, step: number): Buffer {
  const out = Buffer.alloc(rowBytes * rows)
  let from = at
  for (let y = 0; y < rows; y++) {
    const filter = raw[from++] ?? -1
    if (filter < 0 || filter > 4) throw new Error('bad filter')
    const row = y * rowBytes
    for (let x = 0; x < rowBytes; x++) {
      const a = x >= step ? (out[row + x - step] as number) : 0
      const b = y > 0 ? (out[row - rowBytes + x] as number) : 0
      const c = x >= step && y > 0 ? (out[row - rowBytes + x - step] as number) : 0
      let add = 0
      if (filter === 1) add = a
      else if (filter === 2) add = b
      else if (filter === 3) add = (a + b) >> 1
      else if (filter === 4) {
        const p = a + b - c
        const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
        add = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
      }
      out[row + x] = ((raw[from++] as number) + add) & 255
    }
  }
  return out
}

export function decodePng(bytes: Buffer): Picture {
  if (!isPng(bytes)) throw new Error('not a PNG')
  let head: Head | undefined
  let palette = Buffer.alloc(0)
  let alpha = Buffer.alloc(0)
  const packed: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length) throw new Error('chunk ends early')
    const type = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, end)
    if (crc(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) {
      throw new Error('bad checksum')
    }
    if (type === 'IHDR') {
      head = {
        width: data.readUInt32BE(0),
        height: data.readUInt32BE(4),
        depth: data[8] as number,
        colour: data[9] as number,
        interlaced: data[12] === 1,
      }
    }
    if (type === 'PLTE') palette = Buffer.from(data)
    if (type === 'tRNS') alpha = Buffer.from(data)
    if (type === 'IDAT') packed.push(data)
    if (type === 'IEND') break
    at = end + 4
  }
  if (!head) throw new Error('no header')
  const { width, height, depth, colour } = head
  const channels = channelsOf[colour]
  if (!channels || !width || !height || width * height > maxPixels) throw new Error('bad header')
  const raw = inflateSync(Buffer.concat(packed))
  const out = Buffer.alloc(width * height * 4)
  const passes = head.interlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]]
  const most = 2 ** depth - 1
  let at = 0
  for (const [x0 = 0, y0 = 0, dx = 1, dy = 1] of passes) {
    const columns = Math.ceil((width - x0) / dx)
    const rows = Math.ceil((height - y0) / dy)
    if (columns <= 0 || rows <= 0) continue
    const rowBytes = Math.ceil((columns * channels * depth) / 8)
    if (raw.length < at + (rowBytes + 1) * rows) throw new Error('too little data')
    const lines = unfilter(raw, at, rowBytes, rows, Math.max(1, (channels * depth) >> 3))
    at += (rowBytes + 1) * rows
    const sample = (row: number, index: number): number => {
      if (depth === 8) return lines[row * rowBytes + index] as number
      if (depth === 16) return lines.readUInt16BE(row * rowBytes + index * 2)
      const bit = index * depth
      const byte = lines[row * rowBytes + (bit >> 3)] as number
      return (byte >> (8 - depth - (bit & 7))) & most
    }
    const scale = (value: number): number =>
      depth === 8 ? value : Math.round((value * 255) / most)
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const s = [0, 1, 2, 3].slice(0, channels).map((c) => sample(y, x * channels + c))
        const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = s
        const to = ((y0 + y * dy) * width + x0 + x * dx) * 4
        let rgba: number[]
        if (colour === 3) {
          if (s0 * 3 + 2 >= palette.length) throw new Error('beyond the palette')
          rgba = [...palette.subarray(s0 * 3, s0 * 3 + 3), alpha[s0] ?? 255]
        } else if (colour === 0) {
          const hidden = alpha.length >= 2 && alpha.readUInt16BE(0) === s0
          rgba = [scale(s0), scale(s0), scale(s0), hidden ? 0 : 255]
        } else if (colour === 4) rgba = [scale(s0), scale(s0), scale(s0), scale(s1)]
        else if (colour === 2) {
          const hidden =
            alpha.length >= 6 &&
            alpha.readUInt16BE(0) === s0 &&
            alpha.readUInt16BE(2) === s1 &&
            alpha.readUInt16BE(4) === s2
          rgba = [scale(s0), scale(s1), scale(s2), hidden ? 0 : 255]
        } else rgba = [scale(s0), scale(s1), scale(s2), scale(s3)]
        out.set(rgba, to)
      }
    }
  }
  return { width, height, data: out }
}

export function encodePng(picture: Picture): Buffer {
  const { width, height, data } = picture
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const raw = Buffer.alloc((width * 4 + 1) * height)
  for (let y = 0; y < height; y++) {
    data.copy(raw, y * (width * 4 + 1) + 1, y * width * 4, (y + 1) * width * 4)
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
