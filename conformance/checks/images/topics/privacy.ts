import { labelled, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import {
  deliveryUrlsOf,
  lastSegment,
  readDeliveryUrl,
  withoutQuery,
} from '../support/delivery-urls.ts'
import {
  privateTestImage,
  requireDelivered,
  storeTestImage,
} from '../support/delivered-test-images.ts'
import { optionsOfMethod, uploadMethods } from '../support/upload-methods.ts'
import { delivered, notDelivered, shows } from '../support/expectations.ts'
import { findMembersNamed } from '../support/json-search.ts'
import { withAuthorization } from '../support/requests.ts'
import { variantIn } from '../support/variant-records.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

// A private image is an image whose `requireSignedURLs` is true. All other images are public.

const { file } = uploadMethods
// The document does not allow a private direct upload with an id that the client chose. A service
// may also refuse a private file with such an id.
const methodsOfPrivateImages = Object.values(uploadMethods).filter(
  (method) => method !== uploadMethods.fileWithId,
)

/** Headers of conditional requests and of requests for a part. */
const conditionalHeaders = [
  { 'If-None-Match': '"touchstone"' },
  { 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
  { Range: 'bytes=0-' },
]

/** How many variants that the suite did not create are tried. */
const maxVariants = 5

/** A query with the form of a signature, but with random values. */
const inventedSignature = ({ newName }: ImagesWorld) =>
  ['sig', 'signature', 'token', 'exp', 'expires']
    .map((name) => `${name}=${name.startsWith('e') ? '4102444800' : newName()}`)
    .join('&')

/**
 * Returns the private test image of a method. Blocks the check if the public test image of the
 * method is not delivered.
 */
async function requirePrivateTestImage(
  world: ImagesWorld,
  method: (typeof methodsOfPrivateImages)[number],
) {
  await requireDelivered(world, method)
  return privateTestImage(world, method)
}

export const privacyChecks = [
  ...methodsOfPrivateImages.map((method) =>
    check('IMG-IMAGE-08', {
      title: `requires signed URLs (requireSignedURLs) for images from ${method.name}`,
      ...optionsOfMethod(method),
      async run(world) {
        const { url, testImage } = await requirePrivateTestImage(world, method)
        world.expect(await world.fetchDelivered(url), notDelivered(testImage))
        world.expect(
          await world.fetchDelivered(`${url}?${inventedSignature(world)}`),
          labelled('a request with an invented signature', notDelivered(testImage)),
        )
        const unknownToken = `Bearer ${world.newName()}`
        world.expect(
          await world.send(withAuthorization(unknownToken, world.request.deliver(url))),
          labelled('a request with an unknown token', notDelivered(testImage)),
        )
      },
    }),
  ),

  check('IMG-IMAGE-08', {
    title: 'does not deliver private images (requireSignedURLs) on retry or with a query',
    needs: ['images.state'],
    async run(world) {
      const { url, testImage } = await requirePrivateTestImage(world, file)
      const responses: HttpExchange[] = []
      for (const query of ['', '?v=2', '?signed=true'])
        responses.push(await world.fetchDelivered(url + query))
      // A cache in front of the check of signatures could answer these requests.
      const deliver = world.request.deliver(url)
      for (const headers of conditionalHeaders)
        responses.push(
          await world.send({ ...deliver, headers: { ...deliver.headers, ...headers } }),
        )
      const isDelivered = (response: HttpExchange) => !notDelivered(testImage).test(response)
      world.expectValue(responses.filter(isDelivered), {
        name: 'is not delivered',
        expected:
          'no image, neither for a repeated or conditional request nor for one with a query',
        test: (list) => list.length === 0,
        received: (list) => list.map(({ request }) => `the image at ${request.url}`).join(', '),
      })
    },
  }),

  check('IMG-DELIVERY-08', {
    title: 'refuses HEAD for a private image (requireSignedURLs) if it refuses GET',
    needs: ['images.state'],
    async run(world) {
      const { url } = await requirePrivateTestImage(world, file)
      const [get, head] = [
        await world.fetchDelivered(url),
        await world.send({ ...world.request.deliver(url), method: 'HEAD' }),
      ]
      const isRefused = ({ status = 0 }: typeof get) => status < 200 || status >= 300
      world.expect(head, {
        name: 'is refused as well',
        expected: `no success, because GET returned ${get.status}`,
        test: (response) =>
          response.status !== undefined && (isRefused(response) || !isRefused(get)),
        received: ({ status, failure }) => `status ${status ?? failure}`,
      })
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'keeps an image with requireSignedURLs private if a public one has equal bytes',
    needs: ['images.state'],
    async run(world) {
      // The client chooses the id of the public image. Otherwise, a service that derives ids from
      // the bytes would store both uploads as one image, which would become private.
      const { testImage, id, url } = await storeTestImage(world, uploadMethods.fileWithId, {
        isPrivate: false,
      })
      await world.fetchDelivered(url, delivered.test)
      const privateCopy = await storeTestImage(world, file, { isPrivate: true, testImage })
      if (privateCopy.id === id) throw new NotCovered('the target stores equal files as one image')
      world.expect(
        await world.fetchDelivered(withoutQuery(privateCopy.url)),
        notDelivered(testImage),
      )
    },
  }),

  check('IMG-VARIANT-10', {
    title: 'delivers images with requireSignedURLs in variants with neverRequireSignedURLs',
    needs: ['images.state'],
    async run(world) {
      const { testImage, inOpenVariant } = await deliverInOpenVariant(world)
      world.expect(inOpenVariant, shows(testImage))
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'delivers unsigned private images only in variants with neverRequireSignedURLs',
    needs: ['images.state'],
    async run(world) {
      const { id, url, testImage } = await deliverInOpenVariant(world)
      world.expect(await world.fetchDelivered(url), notDelivered(testImage))
      const newUrl = await readDeliveryUrl(world, id, await createVariant(world, false))
      world.expect(
        await world.fetchDelivered(withoutQuery(newUrl)),
        labelled('a variant that is newer than the image', notDelivered(testImage)),
      )
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'delivers no unsigned private image in the other variants of the account',
    needs: ['images.state'],
    async run(world) {
      const { id, testImage } = await requirePrivateTestImage(world, file)
      const { request, isNameOfRun, readUntil } = world
      const list = await world.sendOrBlock(request.listVariants())
      const read = await readUntil(request.get(id), (one) => deliveryUrlsOf(one).length > 0)
      const isClosed = (variant: string) =>
        findMembersNamed('neverRequireSignedURLs', variantIn(list, variant)).includes(false)
      const urls = deliveryUrlsOf(read).filter((url) => {
        const variant = lastSegment(url)
        return !isNameOfRun(variant) && isClosed(variant)
      })
      if (urls.length === 0) throw new NotApplicable('the account has no other variants')
      for (const url of urls.slice(0, maxVariants))
        world.expect(
          await world.fetchDelivered(withoutQuery(url)),
          labelled(`the variant ${lastSegment(url)}`, notDelivered(testImage)),
        )
    },
  }),

  check('IMG-VARIANT-13', {
    title: 'delivers no unsigned private image in a variant without neverRequireSignedURLs',
    needs: ['images.state'],
    async run(world) {
      const { id, testImage } = await requirePrivateTestImage(world, file)
      const url = await readDeliveryUrl(world, id, await createVariant(world, undefined))
      world.expect(await world.fetchDelivered(withoutQuery(url)), notDelivered(testImage))
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'keeps private images private whether flexible variants are on or off',
    needs: ['images.state', 'images.flexibleVariants'],
    exclusiveLock: 'config',
    async run(world) {
      const { label, withheld, named, transformed } = await deliverWithOtherSetting(world)
      for (const exchange of [named, transformed])
        world.expect(exchange, labelled(label, notDelivered(withheld.testImage)))
    },
  }),

  check('IMG-SERVICE-01', {
    title: 'delivers an image in a named variant whether flexible variants are on or off',
    needs: ['images.state', 'images.flexibleVariants'],
    exclusiveLock: 'config',
    async run(world) {
      const { label, open } = await deliverWithOtherSetting(world)
      world.expect(open, labelled(label, delivered))
    },
  }),
]

/**
 * Turns flexible variants off if they are on, or on if they are off. Then requests a private and a
 * public image, and restores the setting.
 */
const deliverWithOtherSetting = (world: ImagesWorld) =>
  world.shared('deliveries with the other setting', async (common) => {
    const { request, target, sendOrBlock, withUndo, fetchDelivered } = common
    const [withheld, { url }] = [
      await requirePrivateTestImage(common, file),
      await requireDelivered(common, file),
    ]
    const current = target.flexibleVariants === true
    const label = `flexible variants ${current ? 'off' : 'on'}`
    return withUndo(request.config({ flexible_variants: current }), async () => {
      await sendOrBlock(request.config({ flexible_variants: !current }))
      const [named, transformed, open] = await Promise.all([
        fetchDelivered(withheld.url),
        fetchDelivered(withheld.url.replace(/[^/]*$/, 'w=40,h=30')),
        fetchDelivered(url, delivered.test),
      ])
      return { label, withheld, named, transformed, open }
    })
  })

/** Requests a private image in a variant that needs no signature, once for all checks. */
const deliverInOpenVariant = (world: ImagesWorld) =>
  world.shared('a private image in an open variant', async (common) => {
    const stored = await requirePrivateTestImage(common, file)
    const open = await readDeliveryUrl(common, stored.id, await createVariant(common, true))
    const inOpenVariant = await common.fetchDelivered(withoutQuery(open), delivered.test)
    return { ...stored, inOpenVariant }
  })

async function createVariant(
  { sendOrBlock, request, newName }: ImagesWorld,
  neverRequireSignedURLs: boolean | undefined,
): Promise<string> {
  const id = newName()
  await sendOrBlock(
    request.createVariant({ id, options, neverRequireSignedURLs }),
    'IMG-VARIANT-08',
  )
  return id
}
