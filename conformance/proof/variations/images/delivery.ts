import {
  defaultRules,
  failure,
  signDeliveryUrl,
  type ImagesCall,
  type ImagesReply,
  type Size,
  type VariantOptions,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, changeImages, newState, uploads, type Json } from './building.ts'
import { encodeAgain, gifOf, isDamaged, padlock } from './encoding.ts'

const changeUrls = (change: (urls: string[], image: Json, call: ImagesCall) => string[]) =>
  changeImages((image, call) => ({
    ...image,
    variants: change(image['variants'] as string[], image, call),
  }))

/** Changes the headers of delivered images, and optionally their bytes. */
const changeDelivery = (
  change: (
    headers: Record<string, string>,
    body: Uint8Array,
  ) => {
    headers: Record<string, string>
    body?: Uint8Array
  },
) =>
  onOperations(['deliverImage'], async (_call, next) => {
    const reply = await next()
    return reply.body instanceof Uint8Array
      ? { ...reply, ...change(reply.headers ?? {}, reply.body) }
      : reply
  })

/** Adds a suffix to the hash in the URLs of each image. The suffix differs from image to image. */
const addHashSuffix = changeImages((image, call) => {
  const own = Buffer.from(String(image['id'])).toString('hex').slice(-12)
  const { accountHash } = call.server.options
  return {
    ...image,
    variants: (image['variants'] as string[]).map((url) =>
      url.replace(`/${accountHash}/`, `/${accountHash}~${own}/`),
    ),
  }
})

/** Replaces the hash in every returned URL, and accepts the new hash at the delivery host. */
const replaceHash = (accountHash: string): ImagesDeviation => {
  // Returns the same object for all calls, because `newState` finds the state of a server by its
  // options.
  const changed = newState(({ options }) => ({ ...options, accountHash }))
  return {
    around: (call, next) => {
      call.server = { ...call.server, options: changed(call) }
      return next()
    },
  }
}

/** Replaces the maximum sizes of renditions. */
const planAs = (
  limit: (size: Size, options: VariantOptions) => { width: number; height: number },
): ImagesDeviation => ({
  rules: {
    planRendition: (size, options) =>
      defaultRules.planRendition(size, { ...options, ...limit(size, options) }),
  },
})

const requestsOf = newState(() => new Map<string, number>())
const renditionsOf = newState(() => new Map<string, ImagesReply>())
const missing = ({ server }: ImagesCall) => failure(server.choices, 404, 'There is no such image')

/** Sends the time of the upload, returns 304 to clients that know it, and delivers parts. */
const supportRanges = onOperations(['deliverImage'], async (call, next) => {
  const reply = await next()
  const uploaded = call.server.store.get(call.params['image_id'] ?? '')?.uploaded
  if (reply.status !== 200 || !(reply.body instanceof Uint8Array) || uploaded === undefined)
    return reply
  const { body } = reply
  const modified = new Date(uploaded).toUTCString()
  const headers = { ...reply.headers, 'Last-Modified': modified }
  const { 'if-none-match': tags, 'if-modified-since': since = '', range = '' } = call.headers
  if (tags === undefined && Date.parse(since) >= Date.parse(modified))
    return { status: 304, headers, body: new Uint8Array(0) }
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  if (from === '' && to === '') return { ...reply, headers }
  const first = from === '' ? Math.max(0, body.length - Number(to)) : Number(from)
  const last = Math.min(body.length - 1, from === '' || to === '' ? Infinity : Number(to))
  if (first > last) return { ...reply, headers }
  const contentRange = { 'Content-Range': `bytes ${first}-${last}/${body.length}` }
  return {
    status: 206,
    headers: { ...headers, ...contentRange },
    body: body.subarray(first, last + 1),
  }
})

/** Behaviour of the delivery that the document does not state, or states as a `should`. */
export const delivery: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-SERVICE-02',
    name: 'delivered bytes',
    values: [
      { name: 'as uploaded', description: 'Delivers the bytes that were uploaded.' },
      {
        name: 'PNG converted to GIF',
        description: 'Delivers PNG images as GIF.',
        deviation: changeDelivery((headers, body) => ({
          headers: { ...headers, 'Content-Type': 'image/gif' },
          body: gifOf(body),
        })),
      },
      {
        name: 'PNG encoded again',
        description: 'Encodes every PNG again, with an alpha channel.',
        deviation: changeDelivery((headers, body) => ({ headers, body: encodeAgain(body) })),
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'Content-Type of delivered images',
    values: [
      { name: 'sent', description: 'Delivers images with a Content-Type.' },
      {
        name: 'not sent',
        description: 'Delivers images without a Content-Type.',
        deviation: changeDelivery((headers) => ({ headers: { ...headers, 'Content-Type': '' } })),
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'resizing of delivered images',
    values: [
      {
        name: 'small images are enlarged',
        description: 'Enlarges images in the fits contain, cover and pad.',
      },
      {
        name: 'no image is enlarged',
        description: 'Never enlarges images.',
        deviation: planAs((size, { width, height }) => ({
          width: Math.min(width, size.width),
          height: Math.min(height, size.height),
        })),
      },
      {
        name: 'width and height are rounded down to multiples of ten',
        description: 'Rounds the maximum width and height down to multiples of ten.',
        deviation: planAs((_size, { width, height }) => ({
          width: Math.max(10, width - (width % 10)),
          height: Math.max(10, height - (height % 10)),
        })),
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'start of the delivery',
    values: [
      { name: 'at once', description: 'Delivers an image as soon as it is stored.' },
      {
        name: 'at the third request',
        description: 'Returns 404 to the first two requests for an image in a variant.',
        deviation: onOperations(['deliverImage'], async (call, next) => {
          const reply = await next()
          const known = requestsOf(call)
          const count = (known.get(call.path) ?? 0) + 1
          if (reply.status === 200) known.set(call.path, count)
          return reply.status === 200 && count <= 2 ? missing(call) : reply
        }),
      },
    ],
  },
  {
    requirement: 'IMG-DELIVERY-04',
    name: 'images delivered before a change of their variant',
    values: [
      {
        name: 'rendered again',
        description: 'Renders images again after a change of the variant.',
      },
      {
        name: 'still delivered from a cache',
        description: 'Delivers what was rendered before, as a cache would.',
        unmet: ['IMG-DELIVERY-04'],
        deviation: onOperations(['deliverImage'], async (call, next) => {
          const reply = await next()
          const known = renditionsOf(call)
          if (reply.status !== 200) return reply
          known.set(call.path, known.get(call.path) ?? reply)
          return known.get(call.path)!
        }),
      },
    ],
  },
  {
    requirement: 'IMG-DELIVERY-06',
    name: 'an unknown account hash in a delivery URL',
    values: [
      { name: 'refused', description: 'Delivers nothing below an unknown hash.' },
      {
        name: 'ignored',
        description: 'Delivers images of the account below every hash that is unknown.',
        unmet: ['IMG-DELIVERY-06'],
        deviation: onOperations(['deliverImage'], (call, next) => {
          const { options, other } = call.server
          if (call.params['hash']?.startsWith(other.options.accountHash) !== true)
            call.params = { ...call.params, hash: options.accountHash }
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-DELIVERY-08',
    name: 'HEAD at the delivery host',
    values: [
      { name: 'answered like GET', description: 'Responds to HEAD as to GET.' },
      {
        name: 'not supported',
        description: 'Returns 405 to HEAD.',
        unmet: ['IMG-DELIVERY-13'],
        deviation: onOperations(['deliverImage'], (call, next) =>
          call.request.method === 'HEAD'
            ? Promise.resolve({ status: 405, headers: { Allow: 'GET' }, body: {} })
            : next(),
        ),
      },
    ],
  },
  {
    requirement: 'IMG-DELIVERY-09',
    name: 'a damaged image',
    values: [
      { name: '502 on delivery', description: 'Returns 502 when the image is requested.' },
      {
        name: '404 on delivery',
        description: 'Returns 404 when the image is requested.',
        deviation: onOperations(['deliverImage'], async (call, next) => {
          const reply = await next()
          return reply.reason === 'untransformable' ? missing(call) : reply
        }),
      },
      {
        name: 'refused on upload',
        description: 'Refuses a PNG that cannot be decoded.',
        deviation: onOperations([...uploads, 'completeDirectUpload'], async (call, next) => {
          const form = await call.form().catch(() => undefined)
          return form?.files.some(({ bytes }) => isDamaged(bytes)) === true
            ? failure(call.server.choices, 400, 'The image is damaged')
            : next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'conditions and ranges of delivered images',
    values: [
      {
        name: 'entity tags',
        description: 'Sends an entity tag, and returns 304 to clients that have the image.',
      },
      {
        name: 'none',
        description: 'Sends no entity tag, and delivers the whole image to every request.',
        deviation: {
          around: (call, next) => {
            if (call.operation !== 'deliverImage') return next()
            delete call.headers['if-none-match']
            return changeDelivery((headers) => ({ headers: { ...headers, ETag: '' } })).around!(
              call,
              next,
            )
          },
        },
      },
      {
        name: 'entity tags, times and ranges',
        description: 'Sends entity tags and the time of the upload, and delivers parts of images.',
        deviation: supportRanges,
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'redirects of delivery URLs',
    values: [
      { name: 'none', description: 'Delivers images without a redirect.' },
      {
        name: 'to a login page, for images that require signed URLs',
        description: 'Redirects requests for private images to a login page.',
        deviation: {
          around: async (call, next) => {
            if (call.operation === 'deliverImage' && call.query.has('signin')) {
              return {
                status: 200,
                headers: { 'Content-Type': 'text/html' },
                body: null,
                raw: '<p>Please sign in.</p>',
              }
            }
            const reply = await next()
            const refused = call.operation === 'deliverImage' && [401, 403].includes(reply.status)
            return refused
              ? { status: 302, headers: { Location: `${call.path}?signin=1` }, body: null }
              : reply
          },
        },
      },
      {
        name: 'to a different URL, which delivers the image',
        description: 'Redirects to another URL that delivers the image.',
        deviation: {
          around: async (call, next) => {
            const reply = await next()
            if (call.operation !== 'deliverImage' || reply.status !== 200 || call.query.has('edge'))
              return reply
            return { status: 302, headers: { Location: `${call.path}?edge=1` }, body: null }
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-ADDRESS-03',
    name: 'hashes in delivery URLs',
    values: [
      { name: 'one for the account', description: 'Uses one hash for the account.' },
      {
        name: 'one for each image',
        description: 'Uses a hash for each image.',
        unmet: ['IMG-ADDRESS-03'],
        deviation: {
          around: (call, next) => {
            const { accountHash } = call.server.options
            if (call.params['hash']?.startsWith(`${accountHash}~`) === true)
              call.params = { ...call.params, hash: accountHash }
            return addHashSuffix.around!(call, next)
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-10',
    name: 'delivery URLs',
    values: [
      { name: 'plain', description: 'Returns delivery URLs in the form that the document states.' },
      {
        name: 'signed',
        description: 'Returns signed URLs of private images.',
        deviation: changeUrls((all, image, call) =>
          image['requireSignedURLs'] === true
            ? all.map((url) => signDeliveryUrl(call.server, url))
            : all,
        ),
      },
      {
        name: 'with a query',
        notCombined: true,
        description: 'Adds a query to every delivery URL.',
        deviation: changeUrls((all) => all.map((url) => `${url}?v=2024/05&format=auto`)),
      },
      {
        name: 'with unescaped slashes',
        description: 'Does not escape the slashes of ids, and returns the URLs in reverse order.',
        deviation: changeUrls((all) => all.map((url) => url.replace(/%2F/g, '/')).reverse()),
      },
    ],
  },
  {
    requirement: 'IMG-ADDRESS-02',
    name: 'hash of the account',
    values: [
      { name: 'letters and digits', description: 'Uses a hash of 22 letters and digits.' },
      {
        name: 'a digit',
        notCombined: true,
        description: 'Uses 7 as the hash.',
        deviation: replaceHash('7'),
      },
      {
        name: 'the id of the account',
        description: 'Uses the id of the account as the hash.',
        deviation: replaceHash('acc-1'),
      },
      {
        name: 'with punctuation',
        description: 'Uses a hash with punctuation that need not be escaped in a path.',
        deviation: replaceHash('sha256:AbC_-.~=='),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-11',
    name: 'the response to an unsigned request for an image that requires signed URLs',
    values: [
      { name: '403', description: 'Returns 403.' },
      {
        name: '401',
        notCombined: true,
        description: 'Returns 401.',
        unmet: ['IMG-AUTH-12'],
        choices: { privateRefusal: 401 },
      },
      { name: '404', description: 'Returns 404.', choices: { privateRefusal: 404 } },
      {
        name: 'an image of a padlock',
        description: 'Delivers the image of a padlock.',
        deviation: onOperations(['deliverImage'], async (_call, next) => {
          const reply = await next()
          const headers = { 'Content-Type': 'image/png' }
          return reply.reason === 'signature-missing'
            ? { status: 200, headers, body: padlock }
            : reply
        }),
      },
      {
        name: 'a redirect to a page',
        description: 'Redirects requests without a signature to a page.',
        deviation: onOperations(['deliverImage'], async (_call, next) => {
          const reply = await next()
          return reply.reason === 'signature-missing'
            ? {
                status: 302,
                headers: { Location: '/sign-in', 'Content-Type': 'text/html' },
                body: {},
                raw: '<p>Sign in',
              }
            : reply
        }),
      },
    ],
  },
  {
    requirement: 'IMG-DELETE-06',
    name: 'delivery of a deleted image',
    values: [
      { name: 'ends, with status 404', description: 'Delivers nothing after the deletion.' },
      {
        name: 'continues',
        description: 'Delivers deleted images, as a slow cleanup would.',
        unmet: ['IMG-DELIVERY-07'],
        choices: { deliveredAfterDeletion: true },
      },
      {
        name: 'ends, with status 410',
        description: 'Returns 410 instead of 404.',
        deviation: onOperations(['deliverImage'], async (_call, next) => {
          const reply = await next()
          return reply.status === 404 ? { ...reply, status: 410 } : reply
        }),
      },
    ],
  },
  {
    requirement: 'IMG-CONFIG-03',
    name: 'effect of flexible variants',
    values: [
      {
        name: 'transformation options are accepted',
        description: 'Delivers transformations while flexible variants are on.',
      },
      {
        name: 'none',
        description: 'Never delivers transformations.',
        choices: { flexibleEffect: false },
      },
    ],
  },
  {
    requirement: 'IMG-CONFIG-04',
    name: 'the result of a change of the configuration',
    values: [
      { name: 'the setting', description: 'Returns the setting that the request contains.' },
      {
        name: 'an empty object',
        description: 'Returns an empty result for a change of the configuration.',
        choices: { configResult: 'empty' },
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-10',
    name: 'effect of neverRequireSignedURLs',
    values: [
      {
        name: 'no signature is required',
        description: 'Delivers private images in a variant with neverRequireSignedURLs.',
      },
      {
        name: 'none',
        description: 'Requires a signature in every variant.',
        unmet: ['IMG-VARIANT-10'],
        choices: { neverRequireSignedEffect: false },
      },
    ],
  },
]
