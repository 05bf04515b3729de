import { imageSize } from 'image-size'
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
  'with-many-pixels': [
    'images of more than 512 pixels',
    (bytes) => {
      if (bytes.length === 0) return false
      const { width, height } = imageSize(bytes)
      return Math.max(width, height) > 512
    },
  ],
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
  ...Object.entries(kinds).flatMap(([name, [description, isAffected]]) => [
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
    fault(
      `images-${name}-are-grey`,
      `Delivers a grey image instead of ${description}.`,
      ['IMG-DELIVERY-02'],
      onDelivery((_bytes, call) => (isAffected(bytesOf(call)) ? greyImage : undefined)),
    ),
  ]),
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
