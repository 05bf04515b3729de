import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { PNG } from 'pngjs'

/** A colour: red, green and blue, from 0 to 255. */
export type Colour = readonly [number, number, number]

const grey: Colour = [0x80, 0x80, 0x80]
/** The number of bytes of an IEND chunk, which ends every PNG. */
const endBytes = 12
/** The number of random bytes in a unique image. */
const uniqueBytes = 16
/** The number of bytes of the signature and of the IHDR chunk, which begin every PNG. */
const startBytes = 33

/** The cached result of `smallPng`: most uploads of a run contain that image. */
let small: Uint8Array | undefined

/**
 * A small grey PNG. It has 64 by 64 pixels, because services may refuse images that are smaller
 * than an icon.
 */
export const smallPng = (): Uint8Array => (small ??= encodePng(64, 64, () => grey))

const uniqueImages = new WeakSet<object>()

/**
 * A small PNG that differs from all other images, because a service may store equal files only
 * once. It contains random bytes, in a chunk that decoders ignore.
 */
export function uniquePng(): Uint8Array {
  const image = padPng(smallPng(), smallPng().length + endBytes + uniqueBytes)
  uniqueImages.add(image)
  return image
}

/** Whether `uniquePng` returned these bytes. Such images differ, so they need not be compared. */
export const isUniquePng = (bytes: unknown): boolean =>
  typeof bytes === 'object' && bytes !== null && uniqueImages.has(bytes)

/** A valid PNG of exactly this many bytes. */
export function pngOfSize(bytes: number): Uint8Array {
  return padPng(smallPng(), bytes)
}

/**
 * Adds a chunk of noise, which decoders ignore, so that the PNG has exactly this many bytes. The
 * chunk precedes the pixels, so that a PNG that is cut off has no pixels.
 */
export function padPng(png: Uint8Array, bytes: number): Uint8Array {
  const room = bytes - png.length - endBytes
  if (room < 0) throw new RangeError(`a PNG of ${png.length} bytes cannot have ${bytes} bytes`)
  return Buffer.concat([
    png.subarray(0, startBytes),
    encodeChunk('tsNo', randomBytes(room)),
    png.subarray(startBytes),
  ])
}

/** Encodes a PNG without transparency (W3C PNG, third edition). */
export function encodePng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Uint8Array {
  const png = new PNG({ width, height })
  let at = 0
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = colourAt(x, y)
      png.data[at] = red
      png.data[at + 1] = green
      png.data[at + 2] = blue
      png.data[at + 3] = 0xff
      at += 4
    }
  // Filter 1 encodes each pixel as its difference from the previous one.
  return PNG.sync.write(png, { colorType: 2, filterType: 1, deflateLevel: 1 })
}

/** Encodes a chunk of a PNG: its length, its type, its data and their checksum. */
export function encodeChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
