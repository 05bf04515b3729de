import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../engine/index.ts'
import { pngKinds } from '../../../wire/index.ts'
import { isComplete, Painter, readImage, showsInPlace, showsTestImage } from './test-images.ts'

const painter = new Painter(new Random('pictures'))
const [one, other] = [painter.draw(150, 97), painter.draw(94, 146)]
const bytes = Buffer.from(one.file.value)

/** Draws every second pixel of a test image, with a margin around it. */
function halve(value: Uint8Array, margin: number): Buffer {
  const source = PNG.sync.read(Buffer.from(value))
  const [width, height] = [source.width >> 1, source.height >> 1]
  const half = new PNG({ width: width + 2 * margin, height: height + 2 * margin })
  half.data.fill(0xff)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = (2 * y * source.width + 2 * x) * 4
      const to = ((y + margin) * half.width + x + margin) * 4
      half.data.set(source.data.subarray(from, from + 4), to)
    }
  return PNG.sync.write(half)
}

describe('readImage', () => {
  it.each([
    ['a PNG', bytes, { format: 'png', width: 150, height: 97 }],
    [
      'a GIF',
      Buffer.from('GIF89a\x20\0\x10\0\0\0\0;', 'latin1'),
      { format: 'gif', width: 32, height: 16 },
    ],
    [
      'an SVG',
      Buffer.from('<svg width="20" height="10"></svg>'),
      { format: 'svg', width: 20, height: 10 },
    ],
  ])('reads %s', (_title, body, expected) => expect(readImage(body)).toEqual(expected))

  it.each([
    ['an empty body', ''],
    ['text', 'Sorry'],
    ['JSON', '{"success":true}'],
    ['a web page', '<!doctype html><p>Sorry'],
    ['a web page with an SVG element', '<html><svg width="20" height="10"></svg></html>'],
    ['a bitmap of characters', 'P1 2 2 0 1 1 0'],
    ['bytes that were decoded as text', new TextDecoder().decode(bytes)],
  ])('does not read %s', (_title, text) => expect(readImage(Buffer.from(text))).toBeUndefined())
})

describe('isComplete', () => {
  const complete = (body: Buffer) => isComplete(body, readImage(body)!)
  it('accepts a PNG, and bytes after its end', () => {
    expect(complete(bytes)).toBe(true)
    expect(complete(Buffer.concat([bytes, Buffer.from('trailer')]))).toBe(true)
  })
  it.each([1, 2, 12, 5000])('refuses a PNG without its last %i bytes', (count) =>
    expect(complete(bytes.subarray(0, -count))).toBe(false),
  )
})

describe('showsTestImage', () => {
  it('recognizes a test image even if it is resized or has a margin', () => {
    expect(showsTestImage(bytes, one)).toBe(true)
    expect(showsTestImage(halve(one.file.value, 0), one)).toBe(true)
    expect(showsTestImage(halve(one.file.value, 20), one)).toBe(true)
  })
  it('does not recognize a different test image', () => {
    expect(showsTestImage(bytes, other)).toBe(false)
    expect(showsTestImage(halve(other.file.value, 20), one)).toBe(false)
  })
})

describe('showsInPlace', () => {
  type Place = readonly [x: number, y: number]
  /** Draws the pixel of a test image that `from` returns at each place. */
  function rearrange(value: Uint8Array, from: (x: number, y: number) => Place): Buffer {
    const source = PNG.sync.read(Buffer.from(value))
    const result = new PNG({ width: source.width, height: source.height })
    for (let y = 0; y < source.height; y += 1)
      for (let x = 0; x < source.width; x += 1) {
        const [fromX, fromY] = from(x, y)
        const at = (fromY * source.width + fromX) * 4
        result.data.set(source.data.subarray(at, at + 4), (y * source.width + x) * 4)
      }
    return PNG.sync.write(result)
  }
  const [width, height] = [72, 72]
  const [right, bottom] = [width - 1, height - 1]
  const all = pngKinds.map((kind) => [kind, painter.drawKind(kind, width, height)] as const)

  it.each(all)('accepts a PNG, %s, and half of its pixels', (_kind, image) => {
    expect(showsInPlace(Buffer.from(image.file.value), image)).toBe(true)
    expect(showsInPlace(halve(image.file.value, 0), image)).toBe(true)
  })

  const rearrangements: readonly [string, (x: number, y: number) => Place][] = [
    ['mirrored', (x, y) => [right - x, y]],
    ['upside down', (x, y) => [x, bottom - y]],
    ['turned by half', (x, y) => [right - x, bottom - y]],
    ['turned to the left', (x, y) => [right - y, x]],
    ['turned to the right', (x, y) => [y, bottom - x]],
    ['with its left half only', (x, y) => [x >> 1, y]],
    ['with its upper half only', (x, y) => [x, y >> 1]],
  ]
  it.each(rearrangements)('refuses a PNG of every kind, %s', (_how, from) => {
    for (const [, image] of all)
      expect(showsInPlace(rearrange(image.file.value, from), image)).toBe(false)
  })
})

describe('Painter', () => {
  it('draws thirty images without a common colour', () => {
    const all = Array.from({ length: 30 }, () => painter.draw(64, 64))
    expect(new Set(all.flatMap(({ colours }) => colours.map(String))).size).toBe(60)
  })
  it('draws files of a given length', () =>
    expect(painter.draw(70, 64, 60_000).file.value.length).toBe(60_000))
})
