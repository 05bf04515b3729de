import { imageSize } from 'image-size'
import { PNG } from 'pngjs'
import type { VariantOptions } from './store.ts'

export interface Size {
  width: number
  height: number
}

/**
 * How an image is transformed: its middle part of the size `part` is scaled to the size `scaled`,
 * and drawn in the middle of a canvas. All sizes are in pixels.
 */
export interface Rendition {
  part: Size
  scaled: Size
  canvas: Size
}

type Bounds = Pick<VariantOptions, 'fit' | 'width' | 'height'>

/** Plans the rendition of an image of this size. The result never exceeds the bounds. */
export function planRendition(size: Size, { fit, width, height }: Bounds): Rendition {
  const shrink = Math.min(width / size.width, height / size.height)
  if (fit === 'cover' || (fit === 'crop' && shrink < 1)) {
    const scaled =
      fit === 'cover'
        ? { width, height }
        : { width: Math.min(width, size.width), height: Math.min(height, size.height) }
    const scale = Math.max(scaled.width / size.width, scaled.height / size.height)
    const part = scaleBy(1 / scale, scaled, size)
    return { part, scaled, canvas: scaled }
  }
  // Of the fits that remain here, only `contain` and `pad` enlarge an image.
  const scale = fit === 'contain' || fit === 'pad' ? shrink : Math.min(1, shrink)
  const scaled = scaleBy(scale, size, { width, height })
  return { part: size, scaled, canvas: fit === 'pad' ? { width, height } : scaled }
}

/** The size of an image; undefined if its format is unknown. */
export function sizeOf(bytes: Uint8Array): Size | undefined {
  try {
    const { width, height } = imageSize(bytes)
    return { width, height }
  } catch {
    return undefined
  }
}

/** Draws a rendition of a PNG. Throws if the bytes cannot be decoded. */
export function drawPng(bytes: Uint8Array, { part, scaled, canvas }: Rendition): Uint8Array {
  const source = PNG.sync.read(Buffer.from(bytes))
  const result = new PNG({ ...canvas })
  result.data.fill(0xff)
  const [fromX, fromY] = [middle(source.width, part.width), middle(source.height, part.height)]
  const [toX, toY] = [middle(canvas.width, scaled.width), middle(canvas.height, scaled.height)]
  for (let y = 0; y < scaled.height; y += 1) {
    const row = fromY + Math.floor(((y + 0.5) * part.height) / scaled.height)
    for (let x = 0; x < scaled.width; x += 1) {
      const column = fromX + Math.floor(((x + 0.5) * part.width) / scaled.width)
      const from = (row * source.width + column) * 4
      result.data.set(
        source.data.subarray(from, from + 4),
        ((toY + y) * canvas.width + toX + x) * 4,
      )
    }
  }
  // Uses fast but weak compression, because speed matters more than a few bytes.
  return PNG.sync.write(result, { filterType: 1, deflateLevel: 1 })
}

/** Whether a rendition is the image itself. */
export function isOriginal(size: Size, { part, scaled, canvas }: Rendition): boolean {
  return [part, scaled, canvas].every(
    ({ width, height }) => width === size.width && height === size.height,
  )
}

const middle = (outer: number, inner: number) => Math.floor((outer - inner) / 2)

/** A size times a factor: at least one pixel, and at most `limit`. */
function scaleBy(factor: number, { width, height }: Size, limit: Size): Size {
  const within = (value: number, most: number) =>
    Math.max(1, Math.min(most, Math.round(value * factor)))
  return { width: within(width, limit.width), height: within(height, limit.height) }
}
