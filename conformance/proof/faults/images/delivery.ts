import { PNG } from 'pngjs'
import { failure } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { uploadWays, onDelivery, onDeliveryFrom } from './delivery-kit.ts'
import { fault, onRequest, onStored, placeholder, redirect } from './building.ts'

const page = { status: 200, headers: { 'Content-Type': 'text/html' }, body: null }

/** Faults in what the delivery host returns in place of an image. */
export const delivery: readonly ImagesFault[] = [
  fault(
    'delivery-returns-a-web-page',
    'Returns 200 with a web page for every image.',
    ['IMG-SERVICE-01'],
    onDelivery(() => ({ ...page, raw: '<!doctype html><title>Sorry</title><p>Sorry' })),
  ),
  fault(
    'delivery-returns-a-web-page-with-a-drawing',
    'Returns 200 with a web page that contains an SVG element for every image.',
    ['IMG-SERVICE-01'],
    onDelivery(() => ({ ...page, raw: '<html><svg width="20" height="10"></svg></html>' })),
  ),
  fault(
    'delivery-returns-a-record',
    'Returns the record of an image as JSON in place of the image.',
    ['IMG-SERVICE-01'],
    onDelivery((_bytes, { params }) => ({ status: 200, body: { id: params['image_id'] } })),
  ),
  fault(
    'delivery-declares-text-as-an-image',
    'Delivers plain text in place of an image, with the Content-Type of an image.',
    ['IMG-SERVICE-01'],
    onDelivery(() => Buffer.from('There is an image here.')),
  ),
  fault(
    'delivery-ends-early',
    'Delivers only the first 1700 bytes of an image.',
    ['IMG-SERVICE-01'],
    onDelivery((bytes) => (bytes.length > 1700 ? bytes.subarray(0, 1700) : undefined)),
  ),
  fault(
    'delivery-loses-the-last-byte',
    'Delivers images without their last byte.',
    ['IMG-SERVICE-01'],
    onDelivery((bytes) => bytes.subarray(0, -1)),
  ),
  fault(
    'delivery-decodes-bytes-as-text',
    'Decodes delivered bytes as UTF-8, which destroys them.',
    ['IMG-SERVICE-01'],
    onDelivery((bytes) => Buffer.from(new TextDecoder().decode(bytes))),
  ),
  fault(
    'delivery-works-once',
    'Delivers each image once in each variant, and returns 404 afterwards.',
    ['IMG-SERVICE-01'],
    (hit) => {
      const paths = new Set<string>()
      return onRequest(async (call, next) => {
        const reply = await next()
        if (reply.status !== 200 || !paths.has(call.path)) {
          if (reply.status === 200) paths.add(call.path)
          return reply
        }
        hit()
        return failure(call.server.choices, 404, 'There is no such image')
      }, 'deliverImage')(hit)
    },
  ),
  fault(
    'delivery-lacks-ids-with-slashes',
    'Does not deliver images whose id contains a slash.',
    ['IMG-DELIVERY-02'],
    onRequest(async ({ params, server }, next, hit) => {
      const reply = await next()
      if (reply.status !== 200 || !params['image_id']!.includes('/')) return reply
      hit()
      return failure(server.choices, 404, 'The image is unknown')
    }, 'deliverImage'),
  ),
  ...uploadWays.map((uploadWay) =>
    fault(
      `delivery-lacks-images-by-${uploadWay}`,
      `Does not deliver images that were uploaded in this way: ${uploadWay}.`,
      ['IMG-SERVICE-01'],
      onDeliveryFrom(uploadWay, async ({ server }, next, hit) => {
        await next()
        hit()
        return failure(server.choices, 404, 'There is no such image')
      }),
    ),
  ),
  ...uploadWays.map((uploadWay) =>
    fault(
      `delivery-shows-a-grey-image-by-${uploadWay}`,
      `Delivers an image in shades of grey if it was uploaded in this way: ${uploadWay}.`,
      ['IMG-DELIVERY-02'],
      onDeliveryFrom(uploadWay, async (_call, next, hit) => {
        const reply = await next()
        if (reply.status !== 200 || !(reply.body instanceof Uint8Array)) return reply
        hit()
        return { ...reply, body: dropColours(reply.body) }
      }),
    ),
  ),
  fault(
    'stored-bytes-are-those-of-the-upload-before',
    'Stores with each image the bytes of the upload before it.',
    ['IMG-DELIVERY-02'],
    (hit) => {
      let before: Uint8Array | undefined
      return onStored(
        (image) => {
          const own = image.bytes
          if (before !== undefined && own !== undefined) {
            hit()
            image.bytes = before
          }
          before = own
        },
        ['uploadImage', 'batchUploadImage'],
      )(hit)
    },
  ),
  fault(
    'larger-files-are-cut',
    'Stores only the first 25,000 bytes of a file.',
    ['IMG-DELIVERY-02'],
    onStored((image, hit) => {
      if (image.bytes === undefined || image.bytes.length <= 25_000) return
      hit()
      image.bytes = image.bytes.subarray(0, 25_000)
    }, 'uploadImage'),
  ),
  fault(
    'variant-delivers-its-first-image',
    'Delivers in each variant the image that was first delivered in it.',
    ['IMG-DELIVERY-02'],
    (hit) => {
      const first = new Map<string, Uint8Array>()
      return onDelivery((bytes, { params }) => {
        const known = first.get(params['variant'] ?? '')
        first.set(params['variant'] ?? '', known ?? bytes)
        return known === undefined || Buffer.from(known).equals(bytes) ? undefined : known
      })(hit)
    },
  ),
  fault(
    'resized-images-are-blank',
    'Delivers resized images in which every pixel is transparent.',
    ['IMG-DELIVERY-02'],
    onDelivery((bytes, { server, params }) =>
      server.store.get(params['image_id'] ?? '')?.bytes === bytes ? undefined : blank(bytes),
    ),
  ),

  fault(
    'unknown-images-are-a-placeholder',
    'Delivers a placeholder with status 200 for an unknown image.',
    ['IMG-DELIVERY-05'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      if (reply.reason !== 'image-unknown') return reply
      hit()
      return { status: 200, headers: { 'Content-Type': 'image/gif' }, body: placeholder.bytes }
    }, 'deliverImage'),
  ),
  fault(
    'unknown-variants-deliver-the-original',
    'Delivers the original in a variant that does not exist.',
    ['IMG-DELIVERY-05'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const bytes = call.server.store.get(call.params['image_id'] ?? '')?.bytes
      if (reply.reason !== 'variant-unknown' || bytes === undefined) return reply
      hit()
      return { status: 200, headers: { 'Content-Type': 'image/png' }, body: bytes }
    }, 'deliverImage'),
  ),
  fault(
    'drafts-are-delivered-as-a-placeholder',
    'Delivers a placeholder for an image whose direct upload is not completed.',
    ['IMG-DELIVERY-05'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const image = call.server.store.get(call.params['image_id'] ?? '')
      if (image?.draft !== true) return reply
      hit()
      return { status: 200, headers: { 'Content-Type': 'image/gif' }, body: placeholder.bytes }
    }, 'deliverImage'),
  ),
  ...(['text/html', 'image/jpeg'] as const).map((type) =>
    fault(
      `delivery-declares-${type.replace('/', '-')}`,
      `Declares ${type} for every delivered image.`,
      ['IMG-DELIVERY-10'],
      onDelivery((body) => ({ status: 200, headers: { 'Content-Type': type }, body })),
    ),
  ),
  ...(['image-unknown', 'variant-unknown'] as const).map((reason) =>
    fault(
      `delivery-breaks-down-for-${reason}`,
      `Returns 500 for a delivery URL with this mistake: ${reason}.`,
      ['IMG-STATUS-08'],
      onRequest(async (call, next, hit) => {
        const reply = await next()
        if (reply.reason !== reason) return reply
        hit()
        return failure(call.server.choices, 500, 'Internal server error')
      }, 'deliverImage'),
    ),
  ),
  fault(
    'delivery-ignores-the-hash',
    'Delivers images for every hash in the URL, even a wrong one.',
    ['IMG-DELIVERY-06'],
    onRequest((call, next, hit) => {
      const { accountHash } = call.server.options
      if (call.params['hash'] !== accountHash) hit()
      call.params = { ...call.params, hash: accountHash }
      return next()
    }, 'deliverImage'),
  ),
  fault(
    'delivery-corrects-the-hash',
    'Redirects a delivery URL with an unknown hash to the URL with the right one.',
    ['IMG-DELIVERY-06'],
    onRequest(async (call, next, hit) => {
      const { accountHash } = call.server.options
      if (call.params['hash'] === accountHash) return next()
      hit()
      return redirect(302, call.path.replace(call.params['hash'] ?? '', accountHash))
    }, 'deliverImage'),
  ),
]

/** The same image without colours. */
const dropColours = (bytes: Uint8Array) =>
  changePixels(bytes, ([red = 0, green = 0, blue = 0, alpha = 0]) => {
    const grey = Math.round((red + green + blue) / 3)
    return [grey, grey, grey, alpha]
  })

const blank = (bytes: Uint8Array) => changePixels(bytes, () => [255, 255, 255, 0])

function changePixels(
  bytes: Uint8Array,
  change: (pixel: Uint8Array) => readonly number[],
): Uint8Array {
  try {
    const png = PNG.sync.read(Buffer.from(bytes))
    for (let at = 0; at < png.data.length; at += 4)
      png.data.set(change(png.data.subarray(at, at + 4)), at)
    return PNG.sync.write(png)
  } catch {
    return bytes
  }
}
