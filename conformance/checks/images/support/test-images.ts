import { imageSize } from 'image-size'
import { PNG } from 'pngjs'
import type { Random } from '../../../engine/index.ts'
import {
  encodePng,
  encodePngOf,
  padPng,
  type Colour,
  type Part,
  type PngKind,
} from '../../../wire/index.ts'

/** An image of the suite that can be recognized when it is delivered. */
export interface TestImage {
  readonly file: Part & { readonly value: Uint8Array }
  readonly width: number
  readonly height: number
  /** The two colours of the squares in the image. None of the next 29 test images contains them. */
  readonly colours: readonly Colour[]
}

/** An image as it was delivered. */
export interface DeliveredImage {
  /** The format according to the signature at the beginning of the file, such as png. */
  readonly format: string
  readonly width: number
  readonly height: number
}

/** The formats that browsers display, and newer formats, as the package image-size names them. */
const formats: readonly string[] = [
  ...['png', 'jpg', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'ico', 'svg', 'tiff'],
  ...['jp2', 'jxl', 'jxl-stream'],
]

const levels = [24, 92, 160, 228]
/**
 * Colours that differ by at least 68 in at least one channel. None is grey, because margins can be
 * grey.
 */
const colours: readonly Colour[] = levels
  .flatMap((red) => levels.flatMap((green) => levels.map((blue): Colour => [red, green, blue])))
  .filter(([red, green, blue]) => red !== green || green !== blue)
/**
 * The step to the next colour in the list. It has no factor in common with the number of colours,
 * so that all colours are used before any is repeated.
 */
const stride = 23
/**
 * How much a delivered colour may differ in each channel. It is less than half of 68, so that two
 * colours cannot be confused.
 */
const tolerance = 30
/** The share of a delivered image that must have the colours of the test image. */
const recognizableShare = 0.15
/** The colours of grey images. An inverted one has neither of them. */
const greys: readonly Colour[] = [
  [20, 20, 20],
  [180, 180, 180],
]
/**
 * Which of the two colours each square has. If the image is mirrored or turned, at least half of
 * the squares have the other colour.
 */
const pattern = ['0101', '1110', '1000', '0000']
const squares = pattern.length
/**
 * How many squares must be in their places. It is less than all, so that a watermark or a rounded
 * corner is allowed.
 */
const squaresInPlace = 13

/**
 * Draws test images for one run. All images have different bytes, because they contain random
 * noise. Images that are drawn soon after each other have no colour in common. The colours depend
 * on the seed of the run.
 */
export class Painter {
  private count: number

  constructor(random: Random) {
    this.count = random.int(0, colours.length)
  }

  /**
   * Draws a PNG with squares of two colours. Noise makes the file as long as that of a photograph.
   * If the file is more than 64 bytes shorter than `bytes`, it is padded to this length.
   */
  draw(width: number, height: number, bytes = 0): TestImage {
    const own = [this.nextColour(), this.nextColour()]
    const png = encodePng(width, height, (x, y) => addNoise(own[squareAt(x / width, y / height)]!))
    const value = bytes > png.length + 64 ? padPng(png, bytes) : png
    return { file: fileOf(value), width, height, colours: own }
  }

  /**
   * Draws such a PNG of another kind, and without noise, so that it is short. All grey images have
   * the same colours.
   */
  drawKind(kind: PngKind, width: number, height: number): TestImage {
    const own = kind === 'grey' ? greys : [this.nextColour(), this.nextColour()]
    const indexAt = (x: number, y: number) => squareAt(x / width, y / height)
    const value = encodePngOf(kind, { width, height, colours: own, indexAt })
    return { file: fileOf(value), width, height, colours: own }
  }

  private nextColour(): Colour {
    this.count += 1
    return colours[(this.count * stride) % colours.length]!
  }
}

const fileOf = (value: Uint8Array) => ({
  name: 'file',
  value,
  filename: 'picture.png',
  type: 'image/png',
})

/** Which of the two colours a place has. `x` and `y` are shares of the width and the height. */
const squareAt = (x: number, y: number) =>
  Number(pattern[Math.floor(y * squares)]![Math.floor(x * squares)])

const addNoise = ([red, green, blue]: Colour): Colour => [noisy(red), noisy(green), noisy(blue)]
const noisy = (value: number) => value + Math.floor(Math.random() * 7) - 3

/**
 * Reads the format and the size of an image. Returns undefined if the bytes have the signature of
 * none of the formats.
 */
export function readImage(body: Uint8Array): DeliveredImage | undefined {
  try {
    const { width, height, type = '' } = imageSize(body)
    const isText = type === 'svg' && !/^\s*<(\?xml|svg)/.test(Buffer.from(body).toString('utf8'))
    if (!formats.includes(type) || isText || !(width > 0) || !(height > 0)) return undefined
    return { format: type, width, height }
  } catch {
    return undefined
  }
}

/**
 * Whether a response with an image of this format may declare this media type. A missing type, or a
 * general type such as application/octet-stream, is allowed.
 */
export function mayDeclare(mediaType: string, { format }: DeliveredImage): boolean {
  const type = mediaType.replace(/;.*/s, '').trim().toLowerCase()
  const [general, name = ''] = type.split('/')
  if (type === '' || type === 'application/octet-stream') return true
  const known =
    { jpg: 'jpeg', svg: 'svg+xml', ico: 'x-icon', 'jxl-stream': 'jxl' }[format] ?? format
  // Compares only the four common media types, because other formats can have several media types.
  const isCommon = ['png', 'jpeg', 'gif', 'webp'].includes(name)
  return general === 'image' && (!isCommon || name === known)
}

/**
 * Whether a file contains an image to its end. Images of formats that are not examined count as
 * complete.
 */
export function isComplete(body: Buffer, { format }: DeliveredImage): boolean {
  if (format === 'png') return decodePng(body) !== undefined
  if (format === 'gif') return body.subarray(-4).includes(0x3b)
  // In a complete JPEG file, the end marker (FFD9) follows the last start-of-scan marker (FFDA).
  if (format === 'jpg')
    return body.lastIndexOf('ffd9', undefined, 'hex') > body.lastIndexOf('ffda', undefined, 'hex')
  if (format === 'webp') return body.length >= 12 && body.readUInt32LE(4) + 8 <= body.length + 1
  return true
}

/**
 * Whether a body shows a test image, even if parts of it were cut off or a margin was added. Only
 * PNG is decoded: every image of another format counts as the test image.
 */
export function showsTestImage(body: Buffer, { colours: own }: TestImage): boolean {
  const image = readImage(body)
  if (image?.format !== 'png') return image !== undefined
  const pixels = decodePng(body)
  if (pixels === undefined) return false
  let matching = 0
  for (let at = 0; at < pixels.length; at += 4)
    if (own.some((colour) => isLike(colour, pixels, at))) matching += 1
  return matching >= (pixels.length / 4) * recognizableShare
}

/**
 * Whether a body shows every part of a test image in its place: not mirrored, turned or cut. Only
 * PNG is decoded: every image of another format counts as right.
 */
export function showsInPlace(body: Buffer, { colours: own }: TestImage): boolean {
  const image = readImage(body)
  if (image?.format !== 'png') return image !== undefined
  const pixels = decodePng(body)
  if (pixels === undefined) return false
  const { width, height } = image
  const differenceAt = (at: number, colour: Colour) =>
    colour.reduce((sum, value, channel) => sum + Math.abs(pixels[at + channel]! - value), 0)
  const places = Array.from({ length: squares * squares }, (_, index) => ({
    x: ((index % squares) + 0.5) / squares,
    y: (Math.floor(index / squares) + 0.5) / squares,
  }))
  const right = places.filter(({ x, y }) => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4
    const [expected, other] = [squareAt(x, y), 1 - squareAt(x, y)]
    return differenceAt(at, own[expected]!) < differenceAt(at, own[other]!)
  })
  return right.length >= squaresInPlace
}

const isLike = (colour: Colour, pixels: Uint8Array, at: number) =>
  pixels[at + 3]! > 0 &&
  colour.every((value, channel) => Math.abs(pixels[at + channel]! - value) <= tolerance)

const decoded = new WeakMap<Uint8Array, Uint8Array | null>()

/** The pixels of a PNG, four bytes each; undefined if the PNG is damaged. */
function decodePng(body: Buffer): Uint8Array | undefined {
  const cached = decoded.get(body)
  if (cached !== undefined) return cached ?? undefined
  const pixels = pixelsOf(body)
  decoded.set(body, pixels ?? null)
  return pixels
}

function pixelsOf(body: Buffer): Uint8Array | undefined {
  // Bytes after the last chunk do not belong to the image.
  const end = body.lastIndexOf('IEND')
  try {
    return PNG.sync.read(end === -1 ? body : body.subarray(0, end + 8)).data
  } catch {
    return undefined
  }
}
