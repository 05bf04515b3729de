// Knows formats and sizes of pictures, and scales, crops and pads them.
import { isPng, type Picture } from './png.ts'

export interface Size {
  width: number
  height: number
}

export function formatOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (isPng(bytes)) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp'
  if (/^....ftyp(avif|heic|mif1)/s.test(head)) return 'image/avif'
  const text = bytes
    .toString('utf8', 0, 1024)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/s.test(text)) {
    return 'image/svg+xml'
  }
  return undefined
}

export function sizeOf(bytes: Buffer): Size | undefined {
  try {
    const type = formatOf(bytes)
    if (type === 'image/png') {
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    }
    if (type === 'image/gif') {
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    }
    if (type === 'image/webp') {
      const kind = bytes.toString('latin1', 12, 16)
      if (kind === 'VP8X') {
        return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
      }
      if (kind === 'VP8L') {
        const bits = bytes.readUInt32LE(21)
        return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
      }
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    }
    if (type === 'image/jpeg') {
      for (let at = 2; at + 9 < bytes.length;) {
        const marker = bytes[at + 1] as number
        if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
          return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
        }
        at += 2 + bytes.readUInt16BE(at + 2)
      }
    }
  } catch {
    return undefined
  }
  return undefined
}

export interface Plan {
  // the part of the source, the size it is scaled to, and the canvas it is centred on
  cut: Size
  scaled: Size
  canvas: Size
}

const whole = (size: Size): Size => ({
  width: Math.max(1, Math.round(size.width)),
  height: Math.max(1, Math.round(size.height)),
})

export function planFor(
  source: Size,
  fit: string,
  width: number | undefined,
  height: number | undefined,
  enlarge: boolean,
): Plan {
  const [W, H] = [width ?? Infinity, height ?? Infinity]
  const ratio = Math.min(W / source.width, H / source.height)
  const inside = (factor: number): Plan => {
    const scaled = whole({ width: source.width * factor, height: source.height * factor })
    scaled.width = Math.min(scaled.width, W)
    scaled.height = Math.min(scaled.height, H)
    return { cut: source, scaled, canvas: scaled }
  }
  if (ratio === Infinity) return inside(1)
  const limited = enlarge ? ratio : Math.min(1, ratio)
  if (fit === 'contain') return inside(limited)
  if (fit === 'pad' && width && height) {
    return { ...inside(limited), canvas: { width, height } }
  }
  if ((fit === 'cover' || fit === 'crop') && width && height) {
    const shrinkOnly = fit === 'crop' || !enlarge
    const target = shrinkOnly
      ? { width: Math.min(width, source.width), height: Math.min(height, source.height) }
      : { width, height }
    const factor = Math.max(target.width / source.width, target.height / source.height)
    const cut = whole({ width: target.width / factor, height: target.height / factor })
    return { cut, scaled: target, canvas: target }
  }
  if (fit === 'cover') return inside(limited)
  return inside(Math.min(1, ratio))
}

export function draw(source: Picture, plan: Plan): Picture {
  const { cut, scaled, canvas } = plan
  const data = Buffer.alloc(canvas.width * canvas.height * 4, 255)
  const x0 = (source.width - cut.width) >> 1
  const y0 = (source.height - cut.height) >> 1
  const left = (canvas.width - scaled.width) >> 1
  const top = (canvas.height - scaled.height) >> 1
  const span = (index: number, from: number, to: number): [number, number] => {
    const start = Math.floor((index * from) / to)
    return [start, Math.max(start + 1, Math.min(from, Math.ceil(((index + 1) * from) / to)))]
  }
  for (let y = 0; y < scaled.height; y++) {
    const [ya, yb] = span(y, cut.height, scaled.height)
    for (let x = 0; x < scaled.width; x++) {
      const [xa, xb] = span(x, cut.width, scaled.width)
      let [r, g, b, a, n] = [0, 0, 0, 0, 0]
      for (let sy = ya; sy < yb; sy++) {
        for (let sx = xa; sx < xb; sx++) {
          const at = ((y0 + sy) * source.width + x0 + sx) * 4
          const alpha = source.data[at + 3] as number
          r += (source.data[at] as number) * alpha
          g += (source.data[at + 1] as number) * alpha
          b += (source.data[at + 2] as number) * alpha
          a += alpha
          n++
        }
      }
      const to = ((top + y) * canvas.width + left + x) * 4
      data.set(a ? [r / a, g / a, b / a, a / n] : [0, 0, 0, 0], to)
    }
  }
  return { width: canvas.width, height: canvas.height, data }
}
