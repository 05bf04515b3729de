import { failure, type Variant } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, isObject, onJson, onRequest, replaceRules } from './building.ts'
import { uploadWays, onDeliveryFrom, openOnce, openPrivate } from './delivery-kit.ts'
import { countHit, replaceRulesOf } from '../../../../mocks/kit/kit.ts'

/**
 * Requires no signatures in variants that were created without neverRequireSignedURLs. Their
 * records do not show this.
 */
const onlyExplicitlyClosed: ImagesFault['make'] = (countDeviation) => {
  const implicit = new Set<string>()
  return onRequest(
    async (call, next, hit) => {
      if (call.operation === 'deliverImage') {
        if (implicit.has(call.params['variant'] ?? '')) openOnce(call, hit)
        return next()
      }
      const body = await call.json().catch(() => undefined)
      if (isObject(body) && body['neverRequireSignedURLs'] === undefined)
        implicit.add(String(body['id']))
      return next()
    },
    ['createVariant', 'deliverImage'],
  )(countDeviation)
}

/** Faults in the protection of private images, and in what is delivered after a deletion. */
export const deliveryAccess: readonly ImagesFault[] = [
  ...uploadWays
    .filter((uploadWay) => uploadWay !== 'file-with-id')
    .map((uploadWay) =>
      fault(
        `private-images-are-open-by-${uploadWay}`,
        `Delivers private images without a signature if they were uploaded in this way: ${uploadWay}.`,
        ['IMG-IMAGE-08'],
        onDeliveryFrom(uploadWay, (call, next, hit) => {
          openOnce(call, hit)
          return next()
        }),
      ),
    ),
  fault(
    'public-images-with-an-id-are-closed',
    'Requires a signature for public images whose id the client chose.',
    ['IMG-SERVICE-01'],
    onDeliveryFrom('file-with-id', async ({ server }, next, hit) => {
      await next()
      hit()
      return failure(server.choices, server.choices.privateRefusal, 'A signature is missing')
    }),
  ),
  fault(
    'conditional-requests-open-private-images',
    'Delivers a private image without a signature if the request has If-None-Match.',
    ['IMG-IMAGE-08'],
    openPrivate(({ headers }) => headers['if-none-match'] !== undefined),
  ),
  fault(
    'private-images-are-refused-once',
    'Refuses the first unsigned request for a private image, and delivers the image afterwards.',
    ['IMG-IMAGE-08'],
    (hit) => {
      const requested = new Set<string>()
      return openPrivate((_call, { id }) => {
        const isOpened = requested.has(id)
        requested.add(id)
        return isOpened
      })(hit)
    },
  ),
  fault(
    'newer-variants-open-private-images',
    'Delivers a private image without a signature in variants that are newer than the image.',
    ['IMG-IMAGE-08'],
    (hit) => {
      /** For each image, the variants that existed when it was first seen. */
      const variantsAtUpload = new Map<string, ReadonlySet<string>>()
      return {
        around: async (call, next) => {
          const { images, variants } = call.server.store
          const { image_id: id = '', variant = '' } = call.params
          const older = variantsAtUpload.get(id)
          if (call.operation === 'deliverImage' && older?.has(variant) === false)
            openOnce(call, hit)
          const reply = await next()
          for (const known of images.keys())
            if (!variantsAtUpload.has(known)) variantsAtUpload.set(known, new Set(variants.keys()))
          return reply
        },
      }
    },
  ),
  fault(
    'any-query-opens-private-images',
    'Delivers a private image if the URL has a query.',
    ['IMG-IMAGE-08'],
    openPrivate(({ query }) => query.size > 0),
  ),
  fault(
    'any-signature-opens-private-images',
    'Delivers a private image if the URL contains a signature, even an invalid one.',
    ['IMG-IMAGE-08'],
    openPrivate(({ query }) => query.has('sig') || query.has('signature') || query.has('token')),
  ),
  fault(
    'equal-images-share-their-privacy',
    'Delivers a private image without a signature if a public image has the same bytes.',
    ['IMG-IMAGE-08'],
    openPrivate(({ server }, { bytes = new Uint8Array(0) }) =>
      [...server.store.images.values()].some(
        (other) =>
          !other.requireSignedURLs && Buffer.from(bytes).equals(other.bytes ?? new Uint8Array(0)),
      ),
    ),
  ),
  fault(
    'flexible-variants-open-private-images',
    'Delivers private images without a signature while flexible variants are on.',
    ['IMG-IMAGE-08'],
    openPrivate(({ server }) => server.store.flexibleVariants),
  ),
  fault(
    'flexible-variants-replace-named-ones',
    'Delivers nothing in named variants while flexible variants are on.',
    ['IMG-SERVICE-01'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { store, choices } = call.server
      if (!store.flexibleVariants || reply.status !== 200) return reply
      if (!store.variants.has(call.params['variant'] ?? '')) return reply
      hit()
      return failure(choices, 404, 'There is no such variant')
    }, 'deliverImage'),
  ),
  fault(
    'transformations-open-private-images',
    'Delivers transformations of private images without a signature if flexible variants are on.',
    ['IMG-IMAGE-08'],
    openPrivate(({ server, params }) => !server.store.variants.has(params['variant'] ?? '')),
  ),
  fault(
    'an-open-variant-opens-all',
    'Delivers private images without a signature in all variants if one never requires signatures.',
    ['IMG-IMAGE-08'],
    openPrivate(({ server }) =>
      [...server.store.variants.values()].some(
        ({ neverRequireSignedURLs }) => neverRequireSignedURLs,
      ),
    ),
  ),
  fault(
    'the-first-variant-opens-private-images',
    'Delivers private images without a signature in the variant with which the account began.',
    ['IMG-IMAGE-08'],
    openPrivate(({ params }) => params['variant'] === 'public'),
  ),
  fault(
    'private-images-with-slashes-are-open',
    'Delivers private images whose id contains a slash without a signature.',
    ['IMG-IMAGE-08'],
    openPrivate((_call, { id }) => id.includes('/')),
  ),
  fault(
    'private-images-open-after-hours',
    'Delivers private images without a signature if they were uploaded more than nine hours ago.',
    ['IMG-IMAGE-08'],
    openPrivate(({ server }, { uploaded }) => server.clock.now() > uploaded + 9 * 3_600_000),
  ),
  fault(
    'images-are-delivered-for-hours',
    'Returns 404 for images that were uploaded 20 hours ago or earlier.',
    ['IMG-DELIVERY-02'],
    onRequest(async (call, next, hit) => {
      const { store, clock, choices } = call.server
      const uploaded = store.get(call.params['image_id'] ?? '')?.uploaded ?? Infinity
      if (clock.now() < uploaded + 20 * 3_600_000) return next()
      hit()
      return failure(choices, 404, 'There is no such image')
    }, 'deliverImage'),
  ),
  fault(
    'head-opens-private-images',
    'Returns 200 to HEAD requests for private images.',
    ['IMG-DELIVERY-08'],
    openPrivate(({ request }) => request.method === 'HEAD'),
  ),
  fault(
    'head-finds-every-image',
    'Returns 200 and the type of an image to every HEAD request at the delivery host.',
    ['IMG-DELIVERY-08'],
    onRequest((call, next, hit) => {
      if (call.request.method !== 'HEAD') return next()
      hit()
      const headers = { 'Content-Type': 'image/png' }
      return Promise.resolve({ status: 200, headers, body: new Uint8Array(0) })
    }, 'deliverImage'),
  ),

  fault(
    'open-variants-require-signatures',
    'Requires a signature for private images in every variant.',
    ['IMG-VARIANT-10'],
    replaceRules(
      (rules, hit) => ({
        isPrivate: countHit(hit, rules.isPrivate, (image) => image.requireSignedURLs),
      }),
      'deliverImage',
    ),
  ),
  fault(
    'variants-are-open-by-default',
    'Sets neverRequireSignedURLs of a new variant to true if it is missing.',
    ['IMG-VARIANT-13'],
    onJson((body, hit) => {
      if (body['neverRequireSignedURLs'] !== undefined) return
      hit()
      body['neverRequireSignedURLs'] = true
    }, 'createVariant'),
  ),
  fault(
    'only-explicitly-closed-variants-are-closed',
    'Requires signatures only in the variant `public`, and in variants that were created with neverRequireSignedURLs: false.',
    ['IMG-VARIANT-13'],
    onlyExplicitlyClosed,
  ),
  fault(
    'open-variants-are-created-closed',
    'Ignores neverRequireSignedURLs: true when a variant is created.',
    ['IMG-VARIANT-10'],
    onJson((body, hit) => {
      if (body['neverRequireSignedURLs'] !== true) return
      hit()
      delete body['neverRequireSignedURLs']
    }, 'createVariant'),
  ),

  fault(
    'deleted-images-are-still-delivered',
    'Delivers images after their deletion.',
    ['IMG-DELIVERY-07'],
    (hit) => ({
      choices: { deliveredAfterDeletion: true },
      ...onRequest((_call, next) => {
        hit()
        return next()
      }, 'deleteImage')(hit),
    }),
  ),
  fault(
    'images-deleted-in-batch-are-still-delivered',
    'Delivers images that were deleted on the batch host.',
    ['IMG-DELIVERY-07'],
    onRequest((call, next, hit) => {
      hit()
      replaceRulesOf(call, {}, { deliveredAfterDeletion: true })
      return next()
    }, 'batchDeleteImage'),
  ),
  fault(
    'deleted-variants-still-deliver',
    'Delivers images in variants that were deleted.',
    ['IMG-DELIVERY-07'],
    (hit) => {
      const deleted = new Map<string, Variant>()
      return onRequest(
        async (call, next) => {
          const { store } = call.server
          if (call.operation === 'deleteVariant') {
            const variant = store.variants.get(call.params['variant_id'] ?? '')
            if (variant !== undefined) deleted.set(variant.id, variant)
            return next()
          }
          const variant = deleted.get(call.params['variant'] ?? '')
          if (variant === undefined || store.variants.has(variant.id)) return next()
          hit()
          return handleWithVariant(store, variant, next)
        },
        ['deleteVariant', 'deliverImage'],
      )(hit)
    },
  ),
  fault(
    'equal-images-are-deleted-together',
    'Does not deliver an image if another image with the same bytes was deleted.',
    ['IMG-DELETE-04'],
    (hit) => {
      const gone: Uint8Array[] = []
      return onRequest(
        async (call, next) => {
          const { store, choices } = call.server
          const bytes = store.get(call.params['image_id'] ?? '')?.bytes
          const reply = await next()
          if (reply.status !== 200 || bytes === undefined) return reply
          if (call.operation === 'deleteImage') gone.push(bytes)
          else if (gone.some((other) => Buffer.from(other).equals(bytes))) {
            hit()
            return failure(choices, 404, 'There is no such image')
          }
          return reply
        },
        ['deleteImage', 'deliverImage'],
      )(hit)
    },
  ),
]

/**
 * Puts a deleted variant back into the store while a call is handled, and removes the variant
 * afterwards.
 */
async function handleWithVariant<Reply>(
  store: { variants: Map<string, Variant>; removeVariant(id: string): boolean },
  variant: Variant,
  next: () => Promise<Reply>,
): Promise<Reply> {
  store.variants.set(variant.id, variant)
  try {
    return await next()
  } finally {
    store.removeVariant(variant.id)
  }
}
