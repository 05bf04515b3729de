import { signDeliveryUrl, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, changeImages, type Json } from './building.ts'

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const changeUrls = (change: (urls: string[], image: Json, call: ImagesCall) => string[]) =>
  changeImages((image, call) => ({
    ...image,
    variants: change(image['variants'] as string[], image, call),
  }))

/** Changes the headers of a delivered image. */
const changeDelivery = (
  change: (headers: Record<string, string>) => {
    headers: Record<string, string>
    body?: Uint8Array
  },
) =>
  onOperations(['deliverImage'], async (_call, next) => {
    const reply = await next()
    return reply.body instanceof Uint8Array ? { ...reply, ...change(reply.headers ?? {}) } : reply
  })

/** Moves the end of an image's id behind the hash in its URLs. */
const moveIdEnd = changeImages((image, call) => {
  const own = Buffer.from(String(image['id'])).toString('hex').slice(-12)
  const { accountHash } = call.server.options
  return {
    ...image,
    variants: (image['variants'] as string[]).map((url) =>
      url.replace(`/${accountHash}/`, `/${accountHash}~${own}/`),
    ),
  }
})

/** Replaces the hash in every returned URL, and accepts it at the delivery host. */
const replaceHash = (accountHash: string): ImagesDeviation => ({
  around: (call, next) => {
    call.server = { ...call.server, options: { ...call.server.options, accountHash } }
    return next()
  },
})

/** How images may be delivered if the document does not state it. */
export const delivery: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-SERVICE-02',
    name: 'delivered bytes',
    values: [
      { name: 'as uploaded', description: 'Delivers the bytes that were uploaded.' },
      {
        name: 'transcoded',
        description: 'Delivers another image format.',
        deviation: changeDelivery((headers) => ({
          headers: { ...headers, 'Content-Type': 'image/gif' },
          body: gif,
        })),
      },
      {
        name: 'without a type',
        description: 'Delivers images without a Content-Type.',
        deviation: changeDelivery((headers) => ({ headers: { ...headers, 'Content-Type': '' } })),
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'redirects of a delivery',
    values: [
      { name: 'straight', description: 'Delivers at the URL itself.' },
      {
        name: 'private to a login page',
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
        name: 'redirected',
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
      { name: 'one', description: 'Uses one hash for the account.' },
      {
        name: 'several',
        description: 'Uses a hash for each image.',
        unmet: ['IMG-ADDRESS-03'],
        deviation: {
          around: (call, next) => {
            const { accountHash } = call.server.options
            if (call.params['hash']?.startsWith(`${accountHash}~`) === true)
              call.params = { ...call.params, hash: accountHash }
            return moveIdEnd.around!(call, next)
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-10',
    name: 'delivery URLs',
    values: [
      { name: 'plain', description: 'Returns delivery URLs as they are stated.' },
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
        name: 'with a version',
        notCombined: true,
        description: 'Adds a query to every delivery URL.',
        deviation: changeUrls((all) => all.map((url) => `${url}?v=2024/05&format=auto`)),
      },
      {
        name: 'unescaped slashes',
        description: 'Does not escape the slashes of ids.',
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
        name: 'the account',
        description: 'Uses the id of the account as the hash.',
        deviation: replaceHash('acc-1'),
      },
      {
        name: 'with signs',
        description: 'Uses a hash with characters that a path need not escape.',
        deviation: replaceHash('sha256:AbC_-.~=='),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-11',
    name: 'the refusal of a private image',
    values: [
      { name: 'forbidden', description: 'Returns 403.' },
      {
        name: 'unauthorized',
        notCombined: true,
        description: 'Returns 401.',
        choices: { privateRefusal: 401 },
      },
      { name: 'not found', description: 'Returns 404.', choices: { privateRefusal: 404 } },
      {
        name: 'elsewhere',
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
      { name: 'none', description: 'Delivers nothing after the deletion.' },
      {
        name: 'goes on',
        description: 'Delivers deleted images, as a cache would.',
        choices: { deliveredAfterDeletion: true },
      },
      {
        name: 'gone',
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
    name: 'flexible variants',
    values: [
      { name: 'transform', description: 'Delivers transformations if they are turned on.' },
      {
        name: 'do nothing',
        description: 'Never delivers transformations.',
        choices: { flexibleEffect: false },
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-10',
    name: 'neverRequireSignedURLs',
    values: [
      {
        name: 'opens',
        description: 'Delivers private images in a variant with neverRequireSignedURLs.',
      },
      {
        name: 'does nothing',
        description: 'Requires a signature in every variant.',
        choices: { neverRequireSignedEffect: false },
      },
    ],
  },
]
