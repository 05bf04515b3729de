import { PNG } from 'pngjs'

/**
 * Converts a PNG to a GIF; returns other bytes unchanged. All codes of the GIF have 8 bits, because
 * the table of codes is cleared before codes of 9 bits are needed.
 */
export function gifOf(bytes: Uint8Array): Uint8Array {
  const png = read(bytes)
  if (png === undefined) return bytes
  const { width, height, data } = png
  const size = (value: number) => [value & 0xff, value >> 8]
  // 7 bits: 3 of red, 2 of green and 2 of blue.
  const palette = Array.from({ length: 128 }, (_, index) => [
    (index >> 4) * 36,
    ((index >> 2) & 3) * 85,
    (index & 3) * 85,
  ])
  const codes: number[] = []
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (pixel % 120 === 0) codes.push(128)
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 4)
    codes.push(((red >> 5) << 4) | ((green >> 6) << 2) | (blue >> 6))
  }
  codes.push(129)
  const blocks: number[] = []
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[...size(width), ...size(height), 0xf6, 0, 0],
    ...palette.flat(),
    ...[0x2c, 0, 0, 0, 0, ...size(width), ...size(height), 0, 7],
    ...[...blocks, 0, 0x3b],
  ])
}

/** Encodes a PNG again, so that its bytes differ; returns other bytes unchanged. */
export function encodeAgain(bytes: Uint8Array): Uint8Array {
  const png = read(bytes)
  return png === undefined ? bytes : PNG.sync.write(png, { colorType: 6, deflateLevel: 1 })
}

/** An image that is delivered in place of a private one. */
export const padlock: Uint8Array = PNG.sync.write(new PNG({ width: 20, height: 24 }))

/** Whether the bytes begin like a PNG, but cannot be decoded. */
export const isDamaged = (bytes: Uint8Array) =>
  Buffer.from(bytes).subarray(1, 4).toString() === 'PNG' && read(bytes) === undefined

function read(bytes: Uint8Array): PNG | undefined {
  try {
    return PNG.sync.read(Buffer.from(bytes))
  } catch {
    return undefined
  }
}
