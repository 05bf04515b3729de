// PNG: reading, resizing, writing; and telling image formats apart.
import { deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const MAX_PIXELS = 16e6
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1
  return n >>> 0
})
function crc32(data) {
  let c = 0xffffffff
  for (const byte of data) c = CRC[(c ^ byte) & 255] ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

export function mediaType(data) {
  if (data.subarray(0, 8).equals(SIGNATURE)) return 'image/png'
  const head = data.subarray(0, 12).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^RIFF....WEBP/s.test(head)) return 'image/webp'
  if (/^....ftypavi[fs]/s.test(head)) return 'image/avif'
  if (/^....ftyp(heic|heix|mif1)/s.test(head)) return 'image/heic'
  if (
    /^\s*(<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>/]/is.test(
      data
        .subarray(0, 4096)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    )
  )
    return 'image/svg+xml'
  return undefined
}

/** The header of a PNG, or undefined when it is none. */
export function readHeader(data) {
  if (data.length < 33 || data.readUInt32BE(8) !== 13 || data.toString('latin1', 12, 16) !== 'IHDR')
    return undefined
  const header = {
    width: data.readUInt32BE(16),
    height: data.readUInt32BE(20),
    depth: data[24],
    color: data[25],
    interlace: data[28],
  }
  if (
    !header.width ||
    !header.height ||
    !DEPTHS[header.color]?.includes(header.depth) ||
    header.interlace > 1
  )
    return undefined
  return header
}

function unfilter(raw, at, rows, rowBytes, step) {
  const out = Buffer.alloc(rows * rowBytes)
  for (let y = 0; y < rows; y++) {
    const filter = raw[at++]
    const here = y * rowBytes
    if (filter > 4) throw new Error('bad filter')
    for (let i = 0; i < rowBytes; i++) {
      const a = i >= step ? out[here + i - step] : 0
      const b = y ? out[here - rowBytes + i] : 0
      const c = i >= step && y ? out[here - rowBytes + i - step] : 0
      let guess = 0
      if (filter === 1) guess = a
      else if (filter === 2) guess = b
      else if (filter === 3) guess = (a + b) >> 1
      else if (filter === 4) {
        const p = a + b - c
        const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
        guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
      }
      out[here + i] = raw[at + i] + guess
    }
    at += rowBytes
  }
  return out
}

/** Decodes to { width, height, pixels: RGBA, texts: chunks of metadata }. Throws when the file is broken. */
export function decode(data) {
  const h = readHeader(data)
  if (!h || h.width * h.height > MAX_PIXELS) throw new Error('no usable header')
  let palette = Buffer.alloc(0)
  let clear
  const packed = []
  const texts = []
  let ended = false
  for (let at = 8; !ended;) {
    const size = data.readUInt32BE(at)
    const type = data.toString('latin1', at + 4, at + 8)
    const body = data.subarray(at + 8, at + 8 + size)
    if (
      body.length !== size ||
      data.readUInt32BE(at + 8 + size) !== crc32(data.subarray(at + 4, at + 8 + size))
    )
      throw new Error('bad chunk')
    if (type === 'PLTE') palette = body
    else if (type === 'tRNS') clear = body
    else if (type === 'IDAT') packed.push(body)
    else if (['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'].includes(type)) texts.push({ type, body })
    else if (type === 'IEND') ended = true
    at += size + 12
  }
  const bits = CHANNELS[h.color] * h.depth
  const raw = inflateSync(Buffer.concat(packed), { maxOutputLength: 160e6 })
  const pixels = new Uint8Array(h.width * h.height * 4)
  const passes = h.interlace
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
  let from = 0
  for (const [x0, y0, dx, dy] of passes) {
    const w = Math.ceil((h.width - x0) / dx)
    const rows = Math.ceil((h.height - y0) / dy)
    if (w <= 0 || rows <= 0) continue
    const rowBytes = Math.ceil((w * bits) / 8)
    if (raw.length < from + rows * (rowBytes + 1)) throw new Error('too few pixels')
    const lines = unfilter(raw, from, rows, rowBytes, Math.max(1, bits >> 3))
    from += rows * (rowBytes + 1)
    const sample = (row, i) => {
      if (h.depth === 8) return lines[row * rowBytes + i]
      if (h.depth === 16) return lines.readUInt16BE(row * rowBytes + 2 * i)
      const bit = i * h.depth
      return (
        (lines[row * rowBytes + (bit >> 3)] >> (8 - h.depth - (bit & 7))) & ((1 << h.depth) - 1)
      )
    }
    const scale = (v) =>
      h.depth === 16 ? v >> 8 : h.depth === 8 ? v : Math.round((v * 255) / ((1 << h.depth) - 1))
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < w; i++) {
        const to = ((y0 + r * dy) * h.width + x0 + i * dx) * 4
        const n = CHANNELS[h.color]
        const v = []
        for (let k = 0; k < n; k++) v.push(sample(r, i * n + k))
        let rgba
        if (h.color === 3)
          rgba = [
            palette[v[0] * 3],
            palette[v[0] * 3 + 1],
            palette[v[0] * 3 + 2],
            clear?.[v[0]] ?? 255,
          ]
        else {
          const gray = n < 3
          const keyed = clear && n % 2 === 1 && v.every((x, k) => x === clear.readUInt16BE(2 * k))
          const alpha = n % 2 === 0 ? scale(v[n - 1]) : keyed ? 0 : 255
          rgba = gray
            ? [scale(v[0]), scale(v[0]), scale(v[0]), alpha]
            : [scale(v[0]), scale(v[1]), scale(v[2]), alpha]
        }
        pixels.set(rgba, to)
      }
    }
  }
  return { width: h.width, height: h.height, pixels, texts }
}

/** Weights of a triangle filter along one axis: wide when shrinking, linear when growing. */
function weights(size, start, length, out, nearest) {
  const ratio = length / out
  const reach = Math.max(1, ratio)
  return Array.from({ length: out }, (_, i) => {
    const centre = start + (i + 0.5) * ratio - 0.5
    if (nearest) return [[Math.min(size - 1, Math.max(0, Math.round(centre))), 1]]
    const list = []
    let sum = 0
    for (let p = Math.ceil(centre - reach); p <= centre + reach; p++) {
      const weight = 1 - Math.abs(p - centre) / reach
      if (weight <= 0) continue
      list.push([Math.min(size - 1, Math.max(0, p)), weight])
      sum += weight
    }
    return list.map(([p, w]) => [p, w / sum])
  })
}

/** Scales the region { x, y, w, h } of an image to outW × outH, with alpha multiplied in so that clear pixels do not bleed. */
export function resize(img, region, outW, outH, nearest) {
  const xs = weights(img.width, region.x, region.w, outW, nearest)
  const ys = weights(img.height, region.y, region.h, outH, nearest)
  const middle = new Float32Array(outW * img.height * 4)
  for (let y = 0; y < img.height; y++) {
    for (let x = 0; x < outW; x++) {
      const to = (y * outW + x) * 4
      for (const [p, w] of xs[x]) {
        const from = (y * img.width + p) * 4
        const alpha = img.pixels[from + 3] * w
        for (let k = 0; k < 3; k++) middle[to + k] += (img.pixels[from + k] * alpha) / 255
        middle[to + 3] += alpha
      }
    }
  }
  const pixels = new Uint8Array(outW * outH * 4)
  for (let y = 0; y < outH; y++) {
    for (let x = 0; x < outW; x++) {
      const sum = [0, 0, 0, 0]
      for (const [p, w] of ys[y])
        for (let k = 0; k < 4; k++) sum[k] += middle[(p * outW + x) * 4 + k] * w
      const to = (y * outW + x) * 4
      for (let k = 0; k < 3; k++)
        pixels[to + k] = sum[3] > 0 ? Math.min(255, Math.round((sum[k] * 255) / sum[3])) : 0
      pixels[to + 3] = Math.round(sum[3])
    }
  }
  return { width: outW, height: outH, pixels }
}

export function chunk(type, body) {
  const out = Buffer.alloc(body.length + 12)
  out.writeUInt32BE(body.length, 0)
  out.write(type, 4, 'latin1')
  body.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)), body.length + 8)
  return out
}

export function encode(img, texts) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(img.width, 0)
  head.writeUInt32BE(img.height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const raw = Buffer.alloc((img.width * 4 + 1) * img.height)
  for (let y = 0; y < img.height; y++) {
    raw.set(
      img.pixels.subarray(y * img.width * 4, (y + 1) * img.width * 4),
      y * (img.width * 4 + 1) + 1,
    )
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    ...texts.map((t) => chunk(t.type, t.body)),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
