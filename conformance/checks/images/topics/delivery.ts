import {
  parseDeliveryUrl,
  withoutQuery,
  readWithDeliveryUrls,
  deliveryUrlsOf,
  requireDeliveryUrls,
  expectOnlyPublicDelivered,
  deliveryUrlOfDirectUpload,
  lastSegment,
  percentDecode,
  deliveryUrlOfUpload,
} from '../support/delivery-urls.ts'
import { Blocked, type Expectation } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { jsonAt, delivered } from '../support/expectations.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

async function createVariant(
  { sendOrBlock, request, newName }: ImagesWorld,
  neverRequireSignedURLs: boolean,
): Promise<string> {
  const id = newName()
  await sendOrBlock(
    request.createVariant({ id, options, neverRequireSignedURLs }),
    'IMG-VARIANT-08',
  )
  return id
}

export const deliveryChecks = [
  check('IMG-SERVICE-01', {
    title: 'delivers a public image through a variant',
    needs: ['images.state'],
    async run(world) {
      const url = await deliveryUrlOfUpload(world, await world.sharedVariant(), false)
      world.expect(await world.fetchDelivered(url, delivered.test), delivered)
    },
  }),

  check('IMG-SERVICE-01', {
    title: 'delivers a public image of a direct upload',
    needs: ['images.state'],
    async run(world) {
      const url = await deliveryUrlOfDirectUpload(world, await world.sharedVariant(), false)
      world.expect(await world.fetchDelivered(url, delivered.test), delivered)
    },
  }),

  check('IMG-SERVICE-02', {
    title: 'records the size and type of a delivered image',
    needs: ['images.state'],
    async run(world) {
      const response = await world.fetchDelivered(
        await deliveryUrlOfUpload(world, await world.sharedVariant(), false),
      )
      world.observe(
        `${response.body.length} bytes, Content-Type ${response.header('content-type') ?? 'missing'}`,
      )
    },
  }),

  check('IMG-ADDRESS-02', {
    title: 'builds delivery URLs from the account hash, the image id and the variant name',
    async run(world) {
      const { id } = await world.sharedImage()
      const read = await readWithDeliveryUrls(world, id)
      const { target, expect } = world
      const root = (target.delivery ?? '').replace(/\/$/, '')
      const isWellFormed = (url: string) =>
        [parseDeliveryUrl(url, root)?.id].some(
          (part) => part === id || (part !== undefined && percentDecode(part) === id),
        )
      const all = (exchange: HttpExchange) =>
        (jsonAt(exchange, 'result', 'variants') as unknown[]).map(String)
      expect(read, {
        name: 'have the stated form',
        expected: `every URL in result.variants has the form ${root}/<account hash>/${id}/<variant>`,
        test: (exchange) => all(exchange).every(isWellFormed),
        received: (exchange) => all(exchange).join(' '),
      })
    },
  }),

  check('IMG-ADDRESS-03', {
    title: 'uses the same account hash in every delivery URL',
    async run(world) {
      const { target, sharedImage, storeImage, expectValue } = world
      const root = (target.delivery ?? '').replace(/\/$/, '')
      const images = await Promise.all([sharedImage(), storeImage()])
      const reads = await Promise.all(images.map(({ id }) => readWithDeliveryUrls(world, id)))
      const hashes = reads
        .flatMap(requireDeliveryUrls)
        .flatMap((url) => parseDeliveryUrl(url, root)?.hash ?? [])
      if (hashes.length === 0)
        throw new Blocked('IMG-ADDRESS-02', 'no delivery URL has the stated form')
      expectValue(new Set(hashes), {
        name: 'is the same',
        expected: 'the same account hash in all delivery URLs',
        test: (set) => set.size === 1,
        received: (set) => [...set].join(' and '),
      })
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'does not deliver a private image without a signature',
    needs: ['images.state'],
    async run(world) {
      const variant = await createVariant(world, false)
      await expectOnlyPublicDelivered(
        world,
        ...(await Promise.all([
          deliveryUrlOfUpload(world, variant, false),
          deliveryUrlOfUpload(world, variant, true),
        ])),
      )
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'does not deliver a private direct upload without a signature',
    needs: ['images.state'],
    async run(world) {
      const variant = await createVariant(world, false)
      await expectOnlyPublicDelivered(
        world,
        ...(await Promise.all([
          deliveryUrlOfDirectUpload(world, variant, false),
          deliveryUrlOfDirectUpload(world, variant, true),
        ])),
      )
    },
  }),

  check('IMG-IMAGE-10', {
    title: 'returns one delivery URL for each variant',
    async run({ storeImage, sendOrBlock, readUntil, expect, request, newName: newName }) {
      const [{ id }, name] = [await storeImage(), newName()]
      await sendOrBlock(request.createVariant({ id: name, options }))
      const urls = (exchange: HttpExchange) =>
        deliveryUrlsOf(exchange).filter((url) => lastSegment(url) === name)
      const one: Expectation<HttpExchange> = {
        name: 'has one for it',
        expected: `exactly one URL in result.variants that ends in /${name}`,
        test: (exchange) => urls(exchange).length === 1,
      }
      expect(await readUntil(request.get(id), one.test), one)
    },
  }),

  check('IMG-VARIANT-10', {
    title: 'records whether a variant that never requires signatures delivers private images',
    needs: ['images.state'],
    async run(world) {
      const url = await deliveryUrlOfUpload(world, await createVariant(world, true), true)
      world.observe(
        `a private image at a URL without a signature: status ${(await world.fetchDelivered(withoutQuery(url))).status}`,
      )
    },
  }),

  check('IMG-DELETE-06', {
    title: 'records whether a deleted image is still delivered',
    needs: ['images.state'],
    async run(world) {
      const {
        storeImage,
        sendOrBlock,
        fetchDelivered,
        observe,
        request,
        sharedVariant,
        readUntil,
      } = world
      const name = await sharedVariant()
      const { id } = await storeImage()
      const read = await readUntil(request.get(id), (exchange) =>
        deliveryUrlsOf(exchange).some((url) => lastSegment(url) === name),
      )
      const [url] = deliveryUrlsOf(read)
      await sendOrBlock(request.delete(id))
      observe(
        url === undefined
          ? 'the image had no delivery URL'
          : `the delivery URL right after the deletion: status ${(await fetchDelivered(url)).status}`,
      )
    },
  }),
]
