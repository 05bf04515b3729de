import { deflateSync } from 'node:zlib'
import { encodeChunk, type Colour } from './image.ts'

/** Kinds of PNG that some decoders do not support. */
export const pngKinds = [
  'with a palette',
  'interlaced',
  'with 16 bits',
  'grey',
  'with an alpha channel',
] as const
export type PngKind = 'RGB' | (typeof pngKinds)[number]

/** The passes of Adam7: the first x and y, and the steps to the next ones. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const wholePass = [[0, 0, 1, 1]] as const

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** The colour type in the header of each kind. */
const colourTypes: Readonly<Record<PngKind, number>> = {
  RGB: 2,
  'with a palette': 3,
  interlaced: 2,
  'with 16 bits': 2,
  grey: 0,
  'with an alpha channel': 6,
}

/** The bytes of a pixel that has the colour at an index of the palette. */
function pixelOf(kind: PngKind, colour: Colour, index: number): readonly number[] {
  if (kind === 'with a palette') return [index]
  if (kind === 'with 16 bits') return colour.flatMap((value) => [value, value])
  if (kind === 'grey') return [colour[0]]
  return kind === 'with an alpha channel' ? [...colour, 0xff] : colour
}

/**
 * Encodes a PNG of this kind, without transparency. `indexAt` returns the index of a pixel in
 * `colours`, of which there are at most 256. In a PNG of the kind `grey`, all must be grey.
 *
 * @see https://www.w3.org/TR/png-3/
 */
export function encodePngOf(
  kind: PngKind,
  { width, height, colours, indexAt }: PngOptions,
): Uint8Array {
  const pixels = colours.map((colour, index) => Buffer.from(pixelOf(kind, colour, index)))
  const bytesPerPixel = pixels[0]!.length
  const lines: Buffer[] = []
  for (const [left, top, right, down] of kind === 'interlaced' ? passes : wholePass)
    for (let y = top; y < height && left < width; y += down) {
      // A line begins with the number of its filter; 0 means none.
      const line = Buffer.alloc(1 + Math.ceil((width - left) / right) * bytesPerPixel)
      for (let x = left, at = 1; x < width; x += right, at += bytesPerPixel)
        line.set(pixels[indexAt(x, y)]!, at)
      lines.push(line)
    }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = kind === 'with 16 bits' ? 16 : 8
  header[9] = colourTypes[kind]
  header[12] = kind === 'interlaced' ? 1 : 0
  return Buffer.concat([
    signature,
    encodeChunk('IHDR', header),
    ...(kind === 'with a palette' ? [encodeChunk('PLTE', Buffer.from(colours.flat()))] : []),
    encodeChunk('IDAT', deflateSync(Buffer.concat(lines), { level: 1 })),
    encodeChunk('IEND', Buffer.alloc(0)),
  ])
}

interface PngOptions {
  readonly width: number
  readonly height: number
  readonly colours: readonly Colour[]
  indexAt(x: number, y: number): number
}
