import { imageSize } from 'image-size'
import { PNG } from 'pngjs'
import {
  defaultRules,
  type ImagesCall,
  type ImagesRules,
} from '../../../../mocks/stateful/images.ts'
import { greyImage } from '../../../../mocks/stateful/images/grey-image.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest, replaceRules } from './building.ts'
import { onDelivery } from './delivery-kit.ts'

// Servers that do not transform every kind of PNG.

type Plan = ImagesRules['planRendition']

const original: Plan = (size) => ({ part: size, scaled: size, canvas: size })

/** The stored bytes of the image that is requested. */
const bytesOf = ({ server, params }: ImagesCall): Uint8Array =>
  server.store.get(params['image_id'] ?? '')?.bytes ?? new Uint8Array()

/** Where a PNG contains the bits of each sample, the colour type and the interlacing. */
const [bitsAt, colourTypeAt, interlacingAt] = [24, 25, 28]

const kinds: Readonly<Record<string, [description: string, is: (bytes: Uint8Array) => boolean]>> = {
  'with-a-palette': ['PNGs with a palette', (bytes) => bytes[colourTypeAt] === 3],
  'with-interlacing': ['interlaced PNGs', (bytes) => bytes[interlacingAt] === 1],
  'with-16-bits': ['PNGs with 16 bits', (bytes) => bytes[bitsAt] === 16],
  'without-colours': ['grey PNGs', (bytes) => bytes[colourTypeAt] === 0],
  'with-an-alpha-channel': ['PNGs with an alpha channel', (bytes) => bytes[colourTypeAt] === 6],
  'with-many-pixels': [
    'images of more than 512 pixels',
    (bytes) => {
      if (bytes.length === 0) return false
      const { width, height } = imageSize(bytes)
      return Math.max(width, height) > 512
    },
  ],
}

/** Returns the place in the image whose pixel is drawn at the place (x, y). */
type Rearrangement = (x: number, y: number, width: number, height: number) => [number, number]

const rearrangements: Readonly<Record<string, [description: string, from: Rearrangement]>> = {
  mirrored: ['mirrored', (x, y, width) => [width - 1 - x, y]],
  'upside-down': ['upside down', (x, y, _width, height) => [x, height - 1 - y]],
  'turned-by-half': ['turned by half', (x, y, width, height) => [width - 1 - x, height - 1 - y]],
  'cut-in-half': ['with their upper half only', (x, y) => [x, y >> 1]],
}

/** Images of which only the ones of a kind are mirrored. */
const mirroredOnly: typeof kinds = {
  'images-with-16-bits': kinds['with-16-bits']!,
  'images-without-colours': kinds['without-colours']!,
  'images-with-an-alpha-channel': kinds['with-an-alpha-channel']!,
  'large-landscapes': [
    'landscapes of more than 512 pixels',
    (bytes) => bytes.length > 0 && imageSize(bytes).width > 512,
  ],
  'large-portraits': [
    'portraits of more than 512 pixels',
    (bytes) => bytes.length > 0 && imageSize(bytes).height > 512,
  ],
}

/** Rearranges the pixels of a PNG; undefined if it is not a PNG. */
function redraw(
  bytes: Uint8Array,
  from: Rearrangement,
  isInverted = false,
): Uint8Array | undefined {
  if (bytes[1] !== 0x50) return undefined
  const source = PNG.sync.read(Buffer.from(bytes))
  const { width, height } = source
  const result = new PNG({ width, height })
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = from(x, y, width, height)
      const at = (fromY * width + fromX) * 4
      const [red = 0, green = 0, blue = 0, alpha = 0] = source.data.subarray(at, at + 4)
      const pixel = isInverted
        ? [255 - red, 255 - green, 255 - blue, alpha]
        : [red, green, blue, alpha]
      result.data.set(pixel, (y * width + x) * 4)
    }
  return PNG.sync.write(result, { filterType: 1, deflateLevel: 1 })
}

/** Changes what `scale-down` does with an image that is smaller than the maximum. */
const enlarge = (enlargeSmall: (plan: ReturnType<Plan>, bounds: Bounds) => ReturnType<Plan>) =>
  replaceRules((_rules, hit) => ({
    planRendition: (size, options) => {
      const planned = defaultRules.planRendition(size, options)
      const { width, height } = planned.scaled
      if (options.fit !== 'scale-down' || width !== size.width || height !== size.height)
        return planned
      hit()
      return enlargeSmall(planned, options)
    },
  }))

type Bounds = Parameters<Plan>[1]

export const pngKinds: readonly ImagesFault[] = [
  ...Object.entries(kinds).map(([name, [description, isAffected]]) =>
    fault(
      `images-${name}-are-not-resized`,
      `Delivers ${description} in their own size.`,
      ['IMG-DELIVERY-01'],
      onRequest((call, next, hit) => {
        if (!isAffected(bytesOf(call))) return next()
        hit()
        replaceRulesOf(call, { planRendition: original })
        return next()
      }, 'deliverImage'),
    ),
  ),
  // The grey image that replaces them has the colours of a grey test image.
  ...Object.entries(kinds)
    .filter(([name]) => name !== 'without-colours')
    .map(([name, [description, isAffected]]) =>
      fault(
        `images-${name}-are-grey`,
        `Delivers a grey image instead of ${description}.`,
        ['IMG-DELIVERY-02'],
        onDelivery((_bytes, call) => (isAffected(bytesOf(call)) ? greyImage : undefined)),
      ),
    ),
  fault(
    'grey-images-are-inverted',
    'Delivers grey images with inverted values.',
    ['IMG-DELIVERY-02'],
    onDelivery((bytes, call) =>
      bytesOf(call)[colourTypeAt] === 0 ? redraw(bytes, (x, y) => [x, y], true) : undefined,
    ),
  ),
  ...Object.entries(rearrangements).map(([name, [description, from]]) =>
    fault(
      `images-are-${name}`,
      `Delivers images ${description}.`,
      ['IMG-DELIVERY-12'],
      onDelivery((bytes) => redraw(bytes, from)),
    ),
  ),
  ...Object.entries(mirroredOnly).map(([name, [description, isAffected]]) =>
    fault(
      `${name}-are-mirrored`,
      `Mirrors ${description}.`,
      ['IMG-DELIVERY-12'],
      onDelivery((bytes, call) =>
        isAffected(bytesOf(call)) ? redraw(bytes, (x, y, width) => [width - 1 - x, y]) : undefined,
      ),
    ),
  ),
  fault(
    'interlaced-images-are-mixed-up',
    'Exchanges the lines of interlaced images.',
    ['IMG-DELIVERY-12'],
    onDelivery((bytes, call) =>
      bytesOf(call)[interlacingAt] === 1
        ? redraw(bytes, (x, y, width, height) => [(x * 7) % width, (y * 5) % height])
        : undefined,
    ),
  ),
  fault(
    'large-portraits-are-grey',
    'Delivers a grey image instead of portraits of more than 512 pixels.',
    ['IMG-DELIVERY-02'],
    onDelivery((_bytes, call) => {
      const bytes = bytesOf(call)
      return bytes.length > 0 && imageSize(bytes).height > 512 ? greyImage : undefined
    }),
  ),
  fault(
    'limits-from-256-pixels-have-no-effect',
    'Ignores the width of a variant if it is 256 pixels or more.',
    ['IMG-DELIVERY-01'],
    replaceRules((_rules, hit) => ({
      planRendition: (size, options) => {
        if (options.width < 256 || size.width <= options.width)
          return defaultRules.planRendition(size, options)
        hit()
        return defaultRules.planRendition(size, { ...options, width: 4000 })
      },
    })),
  ),
  fault(
    'scale-down-fills-the-maximum',
    'In the fit scale-down, enlarges small images to the maximum.',
    ['IMG-DELIVERY-11'],
    enlarge((planned, { width, height }) => {
      const { part } = planned
      const scale = Math.min(width / part.width, height / part.height)
      const scaled = {
        width: Math.floor(part.width * scale),
        height: Math.floor(part.height * scale),
      }
      return { part, scaled, canvas: scaled }
    }),
  ),
  fault(
    'scale-down-adds-a-margin',
    'In the fit scale-down, adds a margin to small images.',
    ['IMG-DELIVERY-11'],
    enlarge((planned, { width, height }) => ({ ...planned, canvas: { width, height } })),
  ),
]
