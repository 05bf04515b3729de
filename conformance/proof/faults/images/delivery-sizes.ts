import {
  defaultRules,
  failure,
  type ImagesCall,
  type ImagesRules,
  type VariantOptions,
} from '../../../../mocks/stateful/images.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest, replaceRules } from './building.ts'
import { deliverFirst, keepUntilUpload, onDelivery } from './delivery-kit.ts'

type Plan = ImagesRules['planRendition']
const plan: Plan = (size, options) => defaultRules.planRendition(size, options)
/**
 * A maximum side in pixels that has no effect, because every test image is smaller. Images of this
 * size can still be rendered.
 */
const unlimited = 1200

/** Delivers images in other sizes. */
const sizes = (planRendition: Plan) => replaceRules({ planRendition })

/** Delivers images as if a variant had other options. */
const optionsAs = (change: (options: VariantOptions) => Partial<VariantOptions>) =>
  sizes((size, options) => plan(size, { ...options, ...change(options) }))

const fitOf = ({ store }: ImagesCall['server'], params: ImagesCall['params']) =>
  store.variants.get(params['variant'] ?? '')?.options.fit

const original: Plan = (size) => ({ part: size, scaled: size, canvas: size })
/**
 * Whether a side of a variant has the default value, because the variant was created without it.
 * The variants that checks create have smaller sides.
 */
const isMissing = (side: number) => side >= 500

const wrongSizes: Readonly<Record<string, [string, ImagesFault['make']]>> = {
  'ignores-the-width': ['Ignores the width of a variant.', optionsAs(() => ({ width: unlimited }))],
  'ignores-the-height': [
    'Ignores the height of a variant.',
    optionsAs(() => ({ height: unlimited })),
  ],
  'doubles-the-maximum': [
    'Doubles the maximum, as for screens of high density.',
    optionsAs(({ width, height }) => ({ width: 2 * width, height: 2 * height })),
  ],
  'ignores-the-height-in-contain': [
    'Ignores the height of a variant in the fit contain.',
    optionsAs(({ fit, height }) => ({ height: fit === 'contain' ? unlimited : height })),
  ],
  'swaps-width-and-height': [
    'Swaps the width and the height of a variant.',
    optionsAs(({ width, height }) => ({ width: height, height: width })),
  ],
  'adds-a-column': [
    'Delivers resized images one pixel too wide.',
    sizes((size, options) => {
      const planned = plan(size, options)
      const canvas = { ...planned.canvas, width: planned.canvas.width + 1 }
      return planned.scaled.width === size.width ? planned : { ...planned, canvas }
    }),
  ],
  'adds-a-row': [
    'Delivers resized images one pixel too high.',
    sizes((size, options) => {
      const planned = plan(size, options)
      const canvas = { ...planned.canvas, height: planned.canvas.height + 1 }
      return planned.scaled.width === size.width ? planned : { ...planned, canvas }
    }),
  ],
  'keeps-images-a-little-too-large': [
    'Does not resize images of less than twice the maximum.',
    sizes((size, options) => {
      const isLittle = size.width < 2 * options.width && size.height < 2 * options.height
      return isLittle ? original(size, options) : plan(size, options)
    }),
  ],
  'limits-only-the-width-of-portraits': [
    'Ignores the height of a variant for portraits.',
    sizes((size, options) =>
      plan(size, { ...options, height: size.height > size.width ? unlimited : options.height }),
    ),
  ],
  'keeps-the-overflow-of-cover': [
    'Does not cut off what exceeds the maximum in the fit cover.',
    sizes((size, options) => {
      if (options.fit !== 'cover') return plan(size, options)
      const scale = Math.max(options.width / size.width, options.height / size.height)
      const [width, height] = [Math.ceil(size.width * scale), Math.ceil(size.height * scale)]
      return { part: size, scaled: { width, height }, canvas: { width, height } }
    }),
  ],
  'fills-the-maximum-in-contain': [
    'Scales images in the fit contain until both sides reach the maximum, so that one exceeds it.',
    sizes((size, options) => {
      if (options.fit !== 'contain') return plan(size, options)
      const scale = Math.max(options.width / size.width, options.height / size.height)
      const [width, height] = [Math.ceil(size.width * scale), Math.ceil(size.height * scale)]
      return { part: size, scaled: { width, height }, canvas: { width, height } }
    }),
  ],
  'delivers-the-original-in-crop': [
    'Delivers the original in the fit crop.',
    sizes((size, options) => (options.fit === 'crop' ? original : plan)(size, options)),
  ],
  'pads-around-the-maximum': [
    'In the fit pad, adds a margin that exceeds the maximum.',
    sizes((size, options) => {
      const planned = plan(size, options)
      const { width, height } = planned.canvas
      const canvas = { width: width + 12, height: height + 12 }
      return options.fit === 'pad' ? { ...planned, canvas } : planned
    }),
  ],
  'ignores-a-single-width': [
    'Delivers the original in a variant without a height.',
    sizes((size, options) =>
      (isMissing(options.height) && !isMissing(options.width) ? original : plan)(size, options),
    ),
  ],
  'ignores-a-single-height': [
    'Delivers the original in a variant without a width.',
    sizes((size, options) =>
      (isMissing(options.width) && !isMissing(options.height) ? original : plan)(size, options),
    ),
  ],
}

/** Faults in the sizes of delivered images, some of them after a change of the variant. */
export const deliverySizes: readonly ImagesFault[] = [
  fault(
    'images-are-kept-until-an-upload',
    'Delivers images from a cache, which only uploads empty.',
    ['IMG-DELIVERY-04'],
    keepUntilUpload('deliverImage'),
  ),
  ...Object.entries(wrongSizes).map(([name, [description, make]]) =>
    fault(`delivery-${name}`, description, ['IMG-DELIVERY-01'], make),
  ),
  fault(
    'variants-share-the-first-rendition',
    'Delivers the first rendition of an image in all variants.',
    ['IMG-DELIVERY-01'],
    deliverFirst(({ params }) => params['image_id'] ?? ''),
  ),

  fault(
    'renditions-are-kept-by-their-width',
    'Delivers the rendition of another variant of the same fit and width.',
    ['IMG-DELIVERY-01'],
    deliverFirst(({ params, server }) => {
      const { fit, width } = server.store.variants.get(params['variant'] ?? '')?.options ?? {}
      return [params['image_id'], fit, width].join(' ')
    }),
  ),
  fault(
    'images-of-the-maximum-grow-by-a-pixel',
    'Delivers an image that has exactly the maximum width one pixel too wide.',
    ['IMG-DELIVERY-01'],
    sizes((size, options) => {
      const planned = plan(size, options)
      if (size.width !== options.width || planned.scaled.width !== size.width) return planned
      return { ...planned, canvas: { ...planned.canvas, width: size.width + 1 } }
    }),
  ),
  fault(
    'images-are-not-padded',
    'Reports a transformation error in the fit pad.',
    ['IMG-SERVICE-01'],
    onDelivery((_bytes, { params, server }) =>
      fitOf(server, params) === 'pad'
        ? failure(server.choices, 502, 'The image cannot be transformed')
        : undefined,
    ),
  ),
  fault(
    'covering-images-are-cut-off',
    'Delivers the first two thirds of the bytes in the fit cover.',
    ['IMG-SERVICE-01'],
    onDelivery((bytes, { params, server }) =>
      fitOf(server, params) === 'cover'
        ? bytes.subarray(0, Math.floor((bytes.length * 2) / 3))
        : undefined,
    ),
  ),

  ...(['width', 'height'] as const).map((side) =>
    fault(
      `delivery-keeps-the-${side}-of-the-creation`,
      `Delivers images with the ${side} that the variant had when it was created.`,
      ['IMG-DELIVERY-03'],
      (hit) => {
        const first = new Map<string, VariantOptions>()
        return onRequest(
          async (call, next) => {
            if (call.operation === 'deliverImage') {
              const old = first.get(call.params['variant'] ?? '')
              if (old !== undefined)
                replaceRulesOf(call, {
                  planRendition: (size, options) => {
                    if (options[side] !== old[side]) hit()
                    return plan(size, { ...options, [side]: old[side] })
                  },
                })
              return next()
            }
            const { id } = Object(await call.json().catch(() => undefined)) as { id?: string }
            const reply = await next()
            const created = call.server.store.variants.get(id ?? '')
            if (reply.status === 200 && created !== undefined)
              first.set(created.id, created.options)
            return reply
          },
          ['deliverImage', 'createVariant'],
        )(hit)
      },
    ),
  ),
  ...(['for-good', 'until-the-fit-changes'] as const).map((duration) =>
    fault(
      `renditions-are-kept-${duration}`,
      duration === 'for-good'
        ? 'Delivers what was rendered before a change of the variant.'
        : 'Delivers what was rendered before a change of the variant, until its fit changes.',
      ['IMG-DELIVERY-04'],
      (hit) => {
        const renditions = new Map<string, Uint8Array>()
        return onDelivery((bytes, { path, params, server }) => {
          const key = duration === 'for-good' ? path : `${fitOf(server, params)} ${path}`
          const known = renditions.get(key)
          renditions.set(key, known ?? bytes)
          return known === undefined || Buffer.from(known).equals(bytes) ? undefined : known
        })(hit)
      },
    ),
  ),

  fault(
    'damaged-images-are-delivered-as-they-are',
    'Delivers an image as it is if it cannot be transformed.',
    ['IMG-DELIVERY-09'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const image = call.server.store.get(call.params['image_id'] ?? '')
      if (reply.reason !== 'untransformable' || image?.bytes === undefined) return reply
      hit()
      return { status: 200, headers: { 'Content-Type': image.type }, body: image.bytes }
    }, 'deliverImage'),
  ),
  fault(
    'damaged-images-are-an-internal-error',
    'Returns 500 for an image that cannot be transformed.',
    ['IMG-DELIVERY-09'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.reason !== 'untransformable') return reply
      hit()
      return failure(call.server.choices, 500, 'Internal server error')
    }, 'deliverImage'),
  ),
]
