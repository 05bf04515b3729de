import { Blocked, labelled, NotCovered } from '../../../engine/index.ts'
import { pngKinds, type HttpExchange, type PngKind } from '../../../wire/index.ts'
import { deliveredTestImage, requireDelivered } from '../support/delivered-test-images.ts'
import { check } from '../support/define.ts'
import { readDeliveryUrl } from '../support/delivery-urls.ts'
import { delivered, isSuccess, isWithin, shows, showsEveryPart } from '../support/expectations.ts'
import { ifRefused } from '../support/meanings.ts'
import type { TestImage } from '../support/test-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import type { ImagesWorld } from '../support/world.ts'

interface Sample {
  readonly label: string
  readonly kind: PngKind
  readonly width: number
  readonly height: number
}

interface Bounds {
  readonly width: number
  readonly height: number
}

interface Delivery {
  readonly label: string
  readonly testImage: TestImage
  readonly bounds: Bounds
  readonly exchange: HttpExchange
}

/** PNGs that are larger than the maximum of the variant in both directions. */
const smallSamples: readonly Sample[] = pngKinds.map((kind) => ({
  label: `a PNG, ${kind}`,
  kind,
  width: 149,
  height: 103,
}))
const largeSamples: readonly Sample[] = [
  { label: 'a large landscape', kind: 'RGB', width: 557, height: 431 },
  { label: 'a large portrait', kind: 'RGB', width: 437, height: 563 },
]

/**
 * Uploads PNGs, and requests them in a new variant. Leaves out those that the server does not
 * accept or cannot transform, because the document does not state which files it must support.
 */
async function deliverIn(
  world: ImagesWorld,
  bounds: Bounds,
  samples: readonly Sample[],
): Promise<Delivery[]> {
  const { send, sendOrBlock, request, newName, idOf } = world
  const variant = newName()
  const options = { fit: 'scale-down', ...bounds, metadata: 'none' }
  await sendOrBlock(request.createVariant({ id: variant, options }), 'IMG-VARIANT-02')
  const deliveries = await Promise.all(
    samples.map(async ({ label, kind, width, height }): Promise<Delivery[]> => {
      const testImage = world.drawTestImageOf(kind, width, height)
      const upload = request.upload({ file: testImage.file, requireSignedURLs: 'false' })
      const stored = await send({ ...upload, meaning: ifRefused('invalid') })
      if (!isSuccess(stored)) return []
      const url = await readDeliveryUrl(world, idOf(stored), variant)
      const exchange = await world.fetchDelivered(url, delivered.test)
      return delivered.test(exchange) ? [{ label, testImage, bounds, exchange }] : []
    }),
  )
  await send(request.deleteVariant(variant))
  return deliveries.flat()
}

/** Requests PNGs of several kinds in variants with a small and with a large maximum. */
async function deliverKinds(world: ImagesWorld): Promise<readonly Delivery[]> {
  const deliveries = await world.shared('PNGs of several kinds', async (common) => {
    await requireDelivered(common, uploadMethods.file)
    const jitter = () => common.randomInt(0, 8)
    const small = { width: 64 + jitter(), height: 84 + jitter() }
    // The width limits the landscape, and the height the portrait.
    const large = { width: 400 + jitter(), height: 400 + jitter() }
    return common.withManyVariants(async () =>
      (
        await Promise.all([
          deliverIn(common, small, smallSamples),
          deliverIn(common, large, largeSamples),
        ])
      ).flat(),
    )
  })
  if (deliveries.length === 0) throw new NotCovered('the server delivers none of these files')
  return deliveries
}

export const pngKindsChecks = [
  check('IMG-DELIVERY-01', {
    title: 'delivers large images and PNGs of every kind within the maximum',
    needs: ['images.state'],
    async run(world) {
      for (const { label, bounds, exchange } of await deliverKinds(world))
        world.expect(exchange, labelled(label, isWithin(bounds.width, bounds.height)))
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'delivers the uploaded image from large images and PNGs of every kind',
    needs: ['images.state'],
    async run(world) {
      for (const { label, testImage, exchange } of await deliverKinds(world))
        world.expect(exchange, labelled(label, shows(testImage)))
    },
  }),

  check('IMG-DELIVERY-12', {
    title: 'delivers every part of large images and of PNGs of every kind in its place',
    needs: ['images.state'],
    async run(world) {
      const deliveries = await deliverKinds(world)
      for (const { label, testImage, exchange } of deliveries)
        world.expect(exchange, labelled(label, showsEveryPart(testImage)))
    },
  }),

  check('IMG-DELIVERY-11', {
    title: 'does not enlarge a small image in the fit scale-down',
    needs: ['images.state'],
    async run(world) {
      const { testImage, exchange } = await deliveredTestImage(world, uploadMethods.file)
      if (!delivered.test(exchange))
        throw new Blocked('IMG-SERVICE-01', `the image was not delivered: ${exchange.summary}`)
      world.expect(exchange, {
        ...isWithin(testImage.width, testImage.height),
        name: 'is not enlarged',
      })
    },
  }),
]
