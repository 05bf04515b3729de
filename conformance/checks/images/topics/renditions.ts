import { Blocked, labelled, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { deliveryUrlsOf, lastSegment, readDeliveryUrl } from '../support/delivery-urls.ts'
import {
  deliveredTestImage,
  requireDelivered,
  type StoredTestImage,
} from '../support/delivered-test-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import {
  delivered,
  describeDelivered,
  isSuccess,
  isWithin,
  jsonAt,
  notUnmodified,
  shows,
} from '../support/expectations.ts'
import type { TestImage } from '../support/test-images.ts'
import { shownValues } from '../support/read-back.ts'
import type { ImagesNeed } from '../target.ts'
import { contradictions } from '../support/variant-records.ts'
import { deliveryVariant, variantOptions, type ImagesWorld } from '../support/world.ts'

interface Bounds {
  readonly fit: string
  readonly width?: number
  readonly height?: number
}

/** The delivery of a test image in a variant. */
interface Delivery {
  readonly label: string
  readonly bounds: Bounds
  readonly testImage: TestImage
  readonly exchange: HttpExchange
}

const jitter = ({ randomInt }: ImagesWorld) => randomInt(0, 8)

/**
 * Maximum sizes of variants for a landscape and a portrait of about 150 × 100 pixels. Each image
 * exceeds at least one maximum of each variant, so that a server that ignores a maximum is
 * detected. The width and height of a variant differ, so that a server that swaps them is detected.
 */
const boundsOfFits = (world: ImagesWorld): Bounds[] => [
  { fit: 'scale-down', width: 100 + jitter(world), height: 120 + jitter(world) },
  { fit: 'contain', width: 84 + jitter(world), height: 66 + jitter(world) },
  { fit: 'cover', width: 70 + jitter(world), height: 48 + jitter(world) },
  { fit: 'crop', width: 50 + jitter(world), height: 76 + jitter(world) },
  { fit: 'pad', width: 85 + jitter(world), height: 60 + jitter(world) },
  // Two variants that differ only in their height, and one of exactly the size of the landscape.
  { fit: 'scale-down', width: 61, height: 90 },
  { fit: 'scale-down', width: 61, height: 34 },
  {
    fit: 'scale-down',
    width: uploadMethods.file.size[0],
    height: uploadMethods.file.size[1],
  },
]

const boundsOfOneSide = (world: ImagesWorld): Bounds[] => [
  { fit: 'scale-down', width: 62 + jitter(world) },
  { fit: 'scale-down', height: 40 + jitter(world) },
]

const describeBounds = ({ fit, width, height }: Bounds) => `${fit} ${width ?? ''}×${height ?? ''}`

/**
 * Reads an image until it has a delivery URL for each of these variants. Returns the URLs in the
 * order of the variants.
 */
async function readUrls(
  { readUntil, request }: ImagesWorld,
  id: string,
  variants: readonly string[],
): Promise<string[]> {
  const find = (exchange: HttpExchange) =>
    variants.flatMap(
      (variant) => deliveryUrlsOf(exchange).find((url) => lastSegment(url) === variant) ?? [],
    )
  const urls = find(
    await readUntil(request.get(id), (exchange) => find(exchange).length === variants.length),
  )
  if (urls.length === variants.length) return urls
  throw new Blocked(
    'IMG-IMAGE-10',
    'the image has no delivery URL for a new variant',
    'a delivery URL for each new variant',
  )
}

/**
 * Creates variants with these bounds, requests a landscape and a portrait in them, and deletes the
 * variants. If `isRequired` is false, leaves out the variants that the target refuses.
 */
async function deliverWithin(
  world: ImagesWorld,
  all: readonly Bounds[],
  isRequired: boolean,
): Promise<Delivery[]> {
  // First requests both images in a larger variant, because a server could wrongly reuse that
  // result.
  const testImages = await Promise.all([
    requireDelivered(world, uploadMethods.file),
    requireDelivered(world, uploadMethods.fileWithId),
  ])
  return world.withManyVariants(() => deliverInVariants(world, testImages, all, isRequired))
}

async function deliverInVariants(
  world: ImagesWorld,
  testImages: readonly StoredTestImage[],
  all: readonly Bounds[],
  isRequired: boolean,
): Promise<Delivery[]> {
  const { send, sendOrBlock, request, newName } = world
  const variants = await Promise.all(
    all.map(async (bounds) => {
      const id = newName()
      const creation = request.createVariant({ id, options: { ...bounds, metadata: 'none' } })
      const created = isRequired ? sendOrBlock(creation, 'IMG-VARIANT-02') : send(creation)
      return { id, bounds, isCreated: isSuccess(await created) }
    }),
  )
  const existing = variants.filter(({ isCreated }) => isCreated)
  const ids = existing.map(({ id }) => id)
  const deliveries = await Promise.all(
    testImages.map(async ({ id, testImage }) => {
      const urls = ids.length === 0 ? [] : await readUrls(world, id, ids)
      return Promise.all(
        urls.map(async (url, index) => {
          const { bounds } = existing[index]!
          const exchange = await world.fetchDelivered(url, delivered.test)
          const label = `${describeBounds(bounds)} of ${testImage.width}×${testImage.height}`
          return { label, bounds, testImage, exchange }
        }),
      )
    }),
  )
  await Promise.all(ids.map((id) => send(request.deleteVariant(id))))
  return deliveries.flat()
}

const deliveriesInFits = (world: ImagesWorld) =>
  world.shared('deliveries in every fit', (common) =>
    deliverWithin(common, boundsOfFits(common), true),
  )

const deliveriesWithOneSide = (world: ImagesWorld) =>
  world.shared('deliveries with one side', (common) =>
    deliverWithin(common, boundsOfOneSide(common), false),
  )

/** Expects that several deliveries meet a condition. The report lists those that do not. */
function expectOfAll(
  { expectValue }: ImagesWorld,
  deliveries: readonly Delivery[],
  { name, expected, isMet }: AllExpected,
): void {
  const others = deliveries.filter((delivery) => !isMet(delivery))
  expectValue(others, {
    name,
    expected,
    test: (list) => list.length === 0,
    received: (list) =>
      list.map(({ label, exchange }) => `${label}: ${describeDelivered(exchange)}`).join('; '),
  })
}

interface AllExpected {
  readonly name: string
  readonly expected: string
  readonly isMet: (delivery: Delivery) => boolean
}

const withinBounds: AllExpected = {
  name: 'are within the maximum',
  expected: 'images within the width and height of the variant',
  isMet: ({ exchange, bounds: { width = Infinity, height = Infinity } }) =>
    isWithin(width, height).test(exchange),
}

function requireAllDelivered(deliveries: readonly Delivery[]): readonly Delivery[] {
  const missing = deliveries.find(({ exchange }) => !delivered.test(exchange))
  if (missing === undefined) return deliveries
  const { label, exchange } = missing
  throw new Blocked('IMG-SERVICE-01', `${label}: ${describeDelivered(exchange)}`)
}

export const renditionChecks = [
  check('IMG-SERVICE-01', {
    title: 'delivers an image for every value of fit',
    needs: ['images.state'],
    async run(world) {
      expectOfAll(world, await deliveriesInFits(world), {
        name: 'are delivered',
        expected: 'a complete image for every value of fit',
        isMet: ({ exchange }) => delivered.test(exchange),
      })
    },
  }),

  check('IMG-DELIVERY-01', {
    title: 'delivers images within the width and height of the variant, for every fit',
    needs: ['images.state'],
    async run(world) {
      expectOfAll(world, requireAllDelivered(await deliveriesInFits(world)), withinBounds)
    },
  }),

  check('IMG-DELIVERY-01', {
    title: 'delivers images within the limit of a variant with only a width or a height',
    needs: ['images.state'],
    async run(world) {
      const deliveries = await deliveriesWithOneSide(world)
      if (deliveries.length === 0)
        throw new NotCovered('the target requires both width and height of a variant')
      expectOfAll(world, requireAllDelivered(deliveries), withinBounds)
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'delivers the uploaded image for every value of fit',
    needs: ['images.state'],
    async run(world) {
      expectOfAll(world, requireAllDelivered(await deliveriesInFits(world)), {
        name: 'show the image',
        expected: 'the uploaded images, for every value of fit',
        isMet: ({ exchange, testImage }) => shows(testImage).test(exchange),
      })
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'delivers different bytes for two images in one variant',
    needs: ['images.state'],
    async run(world) {
      const [one, other] = await Promise.all([
        deliveredTestImage(world, uploadMethods.file),
        deliveredTestImage(world, uploadMethods.fileWithId),
      ])
      world.expectValue([one, other], {
        name: 'differ',
        expected: 'different bytes, because the images have different colours',
        test: ([a, b]) => !a!.exchange.body.equals(b!.exchange.body),
        received: ([a]) => `the same ${a!.exchange.body.length} bytes for both images`,
      })
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'delivers the right image after the upload of a large file',
    needs: ['images.state'],
    async run(world) {
      const limit = (world.target.maxFileBytes ?? Infinity) - formBytes
      const testImage = world.drawTestImage(151, 99, Math.min(largeBytes, limit))
      await requireDelivered(world, uploadMethods.file)
      const fields = { file: testImage.file, requireSignedURLs: 'false' }
      const stored = await world.send(world.request.upload(fields))
      // The document does not state how large a file may be.
      if (stored.status === 413 && world.target.maxFileBytes === undefined)
        throw new NotCovered<ImagesNeed>('the file is too large', ['images.maxFileBytes'])
      if (!isSuccess(stored)) throw new Blocked('IMG-UPLOAD-01', `a larger file: ${stored.summary}`)
      const url = await readDeliveryUrl(world, world.idOf(stored), await deliveryVariant(world))
      world.expect(await world.fetchDelivered(url, delivered.test), shows(testImage))
    },
  }),

  check('IMG-DELIVERY-03', {
    title: 'delivers an image within the new width and height after a variant is changed',
    needs: ['images.state'],
    async run(world) {
      for (const { label, exchange, bounds } of (await deliverChanged(world)).deliveries) {
        if (label === 'an image delivered before') continue
        world.expect(exchange, labelled(label, isWithin(bounds.width!, bounds.height!)))
      }
    },
  }),

  check('IMG-DELIVERY-04', {
    title: 'delivers an image within a changed size, even after a delivery in the old size',
    needs: ['images.state'],
    async run(world) {
      for (const { label, exchange, bounds } of (await deliverChanged(world)).deliveries) {
        if (label !== 'an image delivered before') continue
        world.expect(exchange, isWithin(bounds.width!, bounds.height!))
      }
    },
  }),

  check('IMG-DELIVERY-14', {
    title: 'returns no 304 for an image that was delivered before its variant changed',
    needs: ['images.state'],
    async run(world) {
      const { deliveries, conditional } = await deliverChanged(world)
      const { exchange, bounds } = deliveries[0]!
      if (conditional === undefined) throw new NotApplicable('the server sends no ETag')
      if (!isWithin(bounds.width!, bounds.height!).test(exchange))
        throw new NotApplicable('the server still delivers the image in its old size')
      world.expect(conditional, labelled('the entity tag of the old size', notUnmodified))
    },
  }),

  check('IMG-DELIVERY-09', {
    title: 'does not deliver a damaged image unchanged',
    needs: ['images.state'],
    async run(world) {
      const { send, request, expect, target } = world
      const { width, height } = variantOptions
      await requireDelivered(world, uploadMethods.file)
      // The image is larger than the maximum of the variant, so that the server must transform it.
      const { file } = world.drawTestImage(width + 31, height + 17)
      const value = damage(file.value)
      if (value.length > (target.maxFileBytes ?? Infinity) - formBytes)
        throw new NotCovered('the maximum file size is too small for a damaged image')
      const fields = { file: { ...file, value }, requireSignedURLs: 'false' }
      const stored = await send(request.upload(fields))
      if (!isSuccess(stored)) throw new NotCovered('the target refuses a damaged image')
      const url = await readDeliveryUrl(world, world.idOf(stored), await deliveryVariant(world))
      expect(await world.fetchDelivered(url), {
        name: 'reports a transformation error',
        expected: 'status 502, any other failure except 500, or an image within the maximum',
        test: (response) =>
          response.status !== undefined &&
          response.status !== 500 &&
          (response.status >= 300 ||
            (delivered.test(response) && isWithin(width, height).test(response))),
        received: describeDelivered,
      })
    },
  }),
]

/** Overwrites most of a PNG, so that it has a valid header, but no valid pixels. */
function damage(png: Uint8Array): Uint8Array {
  const bytes = Buffer.from(png.subarray(0, 9000))
  return Buffer.concat([bytes.fill(0x2a, 60, 8000), png.subarray(-12)])
}

/** The size in bytes of a file that is larger than the other test images. */
const largeBytes = 180_000
/** Bytes to allow for the form around a file, because a service may count the whole request. */
const formBytes = 4096

interface ChangedDeliveries {
  readonly deliveries: readonly Delivery[]
  /**
   * The response to a request for the first of these images with the entity tag of its earlier
   * delivery, if there was one.
   */
  readonly conditional: HttpExchange | undefined
}

/** Requests images in a variant after its width and then its height was changed. */
const deliverChanged = (world: ImagesWorld): Promise<ChangedDeliveries> =>
  world.shared('deliveries in a changed variant', async (common) => {
    const { sendOrBlock, send, request, newName, readUntil } = common
    const [before, landscape, portrait] = await Promise.all([
      requireDelivered(common, uploadMethods.ticket),
      requireDelivered(common, uploadMethods.file),
      requireDelivered(common, uploadMethods.fileWithId),
    ])
    const id = newName()
    const options = { fit: 'scale-down', width: 200, height: 190, metadata: 'none' }
    await sendOrBlock(request.createVariant({ id, options }))
    const testImages = { 'an image delivered before': before, landscape, portrait }
    const urls = await Promise.all(
      Object.values(testImages).map(
        async (stored) => (await readUrls(common, stored.id, [id]))[0]!,
      ),
    )
    const old = await common.fetchDelivered(urls[0]!, delivered.test)
    // A server that keeps the old height delivers a portrait that is too high. A server that keeps
    // the old width delivers a landscape that is too wide.
    const bounds = { fit: 'scale-down', width: 66 + jitter(world), height: 56 + jitter(world) }
    for (const change of [{ width: bounds.width }, { height: bounds.height }])
      await sendOrBlock(request.updateVariant(id, { options: change }))
    // Waits until reads show the change. Otherwise, a service may deliver the image with the old
    // options, and keep it in a cache.
    const { width, height } = bounds
    const record = await readUntil(
      request.getVariant(id),
      (read) => contradictions(jsonAt(read, 'result'), { width, height }).length === 0,
    )
    // If the service does not return the options, reads cannot show whether the change has taken
    // effect, so this waits for the settle time.
    if (shownValues('height', record).length === 0) await common.settle()
    const isChanged = isWithin(width, height).test
    const deliveries = await Promise.all(
      Object.entries(testImages).map(async ([label, { testImage }], index) => ({
        label,
        bounds,
        testImage,
        exchange: await common.fetchDelivered(urls[index]!, isChanged),
      })),
    )
    const tag = old.header('etag')
    const conditional =
      tag === undefined
        ? undefined
        : await send({
            ...request.deliver(deliveries[0]!.exchange.request.url),
            headers: { 'If-None-Match': tag },
          })
    await send(request.deleteVariant(id))
    return { deliveries, conditional }
  })
