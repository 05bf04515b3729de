import { signDeliveryUrl, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'
import type { ImagesFactor } from './variation.ts'
import { at, images, type Json } from './building.ts'

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const urls = (change: (urls: string[], image: Json, call: ImagesCall) => string[]) =>
  images((image, call) => ({
    ...image,
    variants: change(image['variants'] as string[], image, call),
  }))

/** Changes what a picture comes with. */
const delivering = (
  change: (headers: Record<string, string>) => {
    headers: Record<string, string>
    body?: Uint8Array
  },
) =>
  at(['deliverImage'], async (_call, next) => {
    const reply = await next()
    return reply.body instanceof Uint8Array ? { ...reply, ...change(reply.headers ?? {}) } : reply
  })

/** Puts the end of an image's id behind the hash in its URLs. */
const varied = images((image, call) => {
  const own = Buffer.from(String(image['id'])).toString('hex').slice(-12)
  const { accountHash } = call.server.options
  return {
    ...image,
    variants: (image['variants'] as string[]).map((url) =>
      url.replace(`/${accountHash}/`, `/${accountHash}~${own}/`),
    ),
  }
})

/** Another hash in every URL that is shown, and at the delivery host. */
const hashed = (accountHash: string): ImagesDeviation => ({
  around: (call, next) => {
    call.server = { ...call.server, options: { ...call.server.options, accountHash } }
    return next()
  },
})

/** How pictures may be delivered where the document is silent. */
export const delivery: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-SERVICE-02',
    name: 'delivered bytes',
    levels: [
      { name: 'as uploaded', description: 'Delivers the bytes that were uploaded.' },
      {
        name: 'transcoded',
        description: 'Delivers another format.',
        deviation: delivering((headers) => ({
          headers: { ...headers, 'Content-Type': 'image/gif' },
          body: gif,
        })),
      },
      {
        name: 'without a type',
        description: 'Does not say which format it delivers.',
        deviation: delivering((headers) => ({ headers: { ...headers, 'Content-Type': '' } })),
      },
    ],
  },
  {
    requirement: 'IMG-SERVICE-02',
    name: 'the way of a picture',
    levels: [
      { name: 'straight', description: 'Delivers at the URL itself.' },
      {
        name: 'private to a sign-in page',
        description: 'Sends whoever asks for a private picture to a page on which to sign in.',
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
        description: 'Sends on to another URL, at which the picture is.',
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
    levels: [
      { name: 'one', description: 'Has one hash for the account.' },
      {
        name: 'several',
        description: 'Has a hash for each image.',
        unmet: ['IMG-ADDRESS-03'],
        deviation: {
          around: (call, next) => {
            const { accountHash } = call.server.options
            if (call.params['hash']?.startsWith(`${accountHash}~`) === true)
              call.params = { ...call.params, hash: accountHash }
            return varied.around!(call, next)
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-10',
    name: 'delivery URLs',
    levels: [
      { name: 'plain', description: 'Shows delivery URLs as they are stated.' },
      {
        name: 'signed',
        description: 'Shows private images at signed URLs.',
        deviation: urls((all, image, call) =>
          image['requireSignedURLs'] === true
            ? all.map((url) => signDeliveryUrl(call.server, url))
            : all,
        ),
      },
      {
        name: 'with a version',
        notCombined: true,
        description: 'Adds a query to every delivery URL.',
        deviation: urls((all) => all.map((url) => `${url}?v=2024/05&format=auto`)),
      },
      {
        name: 'unescaped slashes',
        description: 'Leaves the slashes of ids as they are.',
        deviation: urls((all) => all.map((url) => url.replace(/%2F/g, '/')).reverse()),
      },
    ],
  },
  {
    requirement: 'IMG-ADDRESS-02',
    name: 'hash of the account',
    levels: [
      { name: 'letters and digits', description: 'Makes a hash of 22 letters and digits.' },
      {
        name: 'a digit',
        notCombined: true,
        description: 'Has 7 for a hash.',
        deviation: hashed('7'),
      },
      {
        name: 'the account',
        description: 'Has the id of the account for a hash.',
        deviation: hashed('acc-1'),
      },
      {
        name: 'with signs',
        description: 'Has signs in its hash that a path need not escape.',
        deviation: hashed('sha256:AbC_-.~=='),
      },
    ],
  },
  {
    requirement: 'IMG-STATUS-11',
    name: 'the refusal of a private picture',
    levels: [
      { name: 'forbidden', description: 'Answers 403.' },
      {
        name: 'unauthorized',
        notCombined: true,
        description: 'Answers 401.',
        choices: { privateRefusal: 401 },
      },
      { name: 'not found', description: 'Answers 404.', choices: { privateRefusal: 404 } },
      {
        name: 'elsewhere',
        description: 'Sends whoever has no signature to a page.',
        deviation: at(['deliverImage'], async (_call, next) => {
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
    levels: [
      { name: 'none', description: 'Delivers nothing after the deletion.' },
      {
        name: 'goes on',
        description: 'Delivers a deleted image, as a cache would.',
        choices: { deliveredAfterDeletion: true },
      },
      {
        name: 'gone',
        description: 'Says of what it does not have that it is gone.',
        deviation: at(['deliverImage'], async (_call, next) => {
          const reply = await next()
          return reply.status === 404 ? { ...reply, status: 410 } : reply
        }),
      },
    ],
  },
  {
    requirement: 'IMG-CONFIG-03',
    name: 'flexible variants',
    levels: [
      { name: 'transform', description: 'Delivers transformations where they are switched on.' },
      {
        name: 'do nothing',
        description: 'Delivers no transformation whatever the switch.',
        choices: { flexibleEffect: false },
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-10',
    name: 'neverRequireSignedURLs',
    levels: [
      {
        name: 'opens',
        description: 'Delivers private images through a variant that never needs a signature.',
      },
      {
        name: 'does nothing',
        description: 'Wants a signature all the same.',
        choices: { neverRequireSignedEffect: false },
      },
    ],
  },
]
