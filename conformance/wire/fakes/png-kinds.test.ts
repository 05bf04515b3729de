import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import type { Colour } from './image.ts'
import { encodePngOf, pngKinds, type PngKind } from './png-kinds.ts'

/** The bits of a sample, the colour type and the interlacing of each kind. */
const headers: Readonly<Record<PngKind, readonly number[]>> = {
  RGB: [8, 2, 0],
  'with a palette': [8, 3, 0],
  interlaced: [8, 2, 1],
  'with 16 bits': [16, 2, 0],
  grey: [8, 0, 0],
  'with an alpha channel': [8, 6, 0],
}

test.each(['RGB', ...pngKinds] as const)('a PNG of the kind "%s" shows the drawing', (kind) => {
  const colours: readonly Colour[] =
    kind === 'grey'
      ? [
          [40, 40, 40],
          [150, 150, 150],
        ]
      : [
          [250, 10, 30],
          [0, 90, 200],
        ]
  const indexAt = (x: number, y: number) => (x * 3 + y) % 2
  // Sizes that are not multiples of eight, so that the passes of interlacing have different sizes.
  for (const [width, height] of [
    [13, 11],
    [3, 2],
    [1, 1],
  ] as const) {
    const bytes = encodePngOf(kind, { width, height, colours, indexAt })
    const decoded = PNG.sync.read(Buffer.from(bytes))
    expect([decoded.width, decoded.height]).toEqual([width, height])
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        expect([...decoded.data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]).toEqual([
          ...colours[indexAt(x, y)]!,
          255,
        ])
    expect([bytes[24], bytes[25], bytes[28]]).toEqual(headers[kind])
  }
})
