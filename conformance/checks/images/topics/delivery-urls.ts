import { Blocked, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { batchCheck, check } from '../support/define.ts'
import {
  deliveryRootOf,
  deliveryUrlsOf,
  lastSegment,
  listForeignUrls,
  parseDeliveryUrl,
  readWithDeliveryUrls,
  requireDeliveryUrls,
} from '../support/delivery-urls.ts'
import { jsonAt } from '../support/expectations.ts'
import { readWholeList } from '../support/pages.ts'
import type { ApiHost } from '../support/requests.ts'
import { requireDelivered, uploadedTestImage } from '../support/delivered-test-images.ts'
import { uploadMethods, type UploadMethod } from '../support/upload-methods.ts'
import {
  expectUrlOfEachVariant,
  readWithManyVariants,
  urlsInDetails,
  urlsInList,
  urlsInUpload,
} from '../support/variant-urls.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

/** Expects that every delivery URL in a response is built from the hash, image id and variant. */
function expectUrlForm(world: ImagesWorld, exchange: HttpExchange): void {
  const root = deliveryRootOf(world)
  const id = world.idOf(exchange)
  const variants = jsonAt(exchange, 'result', 'variants')
  if (!Array.isArray(variants))
    throw new Blocked('IMG-IMAGE-09', 'the image has no array of variants', 'an array in variants')
  if (variants.length === 0) throw new NotCovered('the image has no delivery URLs')
  world.expect(exchange, {
    name: 'have the documented form',
    expected: `in result.variants, only URLs of the form ${root}/<account hash>/${id}/<variant>`,
    test: () => listForeignUrls(variants, id, root).length === 0,
    received: () => variants.map(String).join(' '),
  })
}

/** Expects that the delivery URLs of listed images of this run have the documented form. */
async function expectUrlFormInList(world: ImagesWorld, method: UploadMethod): Promise<void> {
  await uploadedTestImage(world, method)
  const host: ApiHost = method === uploadMethods.batch ? 'batch' : 'account'
  const list = await readWholeList(world, host)
  const root = deliveryRootOf(world)
  const own = new Set(world.storedImages(host))
  const entries = list.filter(({ id }) => own.has(String(id)))
  if (!entries.some(({ variants }) => Array.isArray(variants) && variants.length > 0))
    throw new NotCovered('the list contains no image of this run with delivery URLs')
  const foreign = entries.flatMap(({ id, variants }) =>
    listForeignUrls(variants, String(id), root).map((url) => ({ id, url })),
  )
  world.expectValue(foreign, {
    name: 'have the documented form',
    expected: `in variants, only URLs of the form ${root}/<account hash>/<id of the image>/<variant>`,
    test: (wrong) => wrong.length === 0,
    received: (wrong) =>
      wrong
        .slice(0, 3)
        .map(({ id, url }) => `${url} in the image ${String(id)}`)
        .join(', '),
  })
}

export const deliveryUrlsChecks = [
  check('IMG-ADDRESS-02', {
    title: 'builds delivery URLs from the account hash, the image id and the variant name',
    door: 'getImage',
    async run(world) {
      const { id } = await world.sharedImage()
      expectUrlForm(world, await readWithDeliveryUrls(world, id))
    },
  }),

  check('IMG-ADDRESS-02', {
    title: 'returns delivery URLs with hash, id and variant when an image is uploaded',
    door: 'uploadImage',
    async run(world) {
      const { upload } = await uploadedTestImage(world, uploadMethods.file)
      expectUrlForm(world, upload!)
    },
  }),

  check('IMG-ADDRESS-02', {
    title: 'lists each image with delivery URLs that contain its id',
    needs: ['images.state'],
    door: 'listImages',
    run: (world) => expectUrlFormInList(world, uploadMethods.file),
  }),

  batchCheck('IMG-ADDRESS-02', {
    title: 'returns delivery URLs with hash, id and variant for an upload to the batch host',
    door: 'batchUploadImage',
    async run(world) {
      const { upload } = await uploadedTestImage(world, uploadMethods.batch)
      expectUrlForm(world, upload!)
    },
  }),

  batchCheck('IMG-ADDRESS-02', {
    title: 'lists each image on the batch host with delivery URLs that contain its id',
    needs: ['images.state'],
    door: 'batchListImages',
    run: (world) => expectUrlFormInList(world, uploadMethods.batch),
  }),

  check('IMG-ADDRESS-03', {
    title: 'uses the same account hash in every delivery URL',
    async run(world) {
      const { sharedImage, storeImage, expectValue } = world
      const root = deliveryRootOf(world)
      const images = await Promise.all([sharedImage(), storeImage()])
      const reads = await Promise.all(images.map(({ id }) => readWithDeliveryUrls(world, id)))
      const hashes = reads
        .flatMap(requireDeliveryUrls)
        .flatMap((url) => parseDeliveryUrl(url, root)?.hash ?? [])
      if (hashes.length === 0)
        throw new Blocked(
          'IMG-ADDRESS-02',
          'no delivery URL has the form <account hash>/<image id>/<variant>',
        )
      expectValue(new Set(hashes), {
        name: 'is the same',
        expected: 'the same account hash in all delivery URLs',
        test: (set) => set.size === 1,
        received: (set) => [...set].join(' and '),
      })
    },
  }),

  check('IMG-ADDRESS-03', {
    title: 'lists images with the same account hash in every delivery URL as in the details',
    needs: ['images.state'],
    async run(world) {
      const { id, url } = await requireDelivered(world, uploadMethods.file)
      const list = await readWholeList(world, 'account')
      const root = deliveryRootOf(world)
      const own = new Set(world.storedImages('account'))
      const hash = parseDeliveryUrl(url, root)?.hash
      const hashes = list
        .filter((image) => own.has(String(image['id'])) && Array.isArray(image['variants']))
        .flatMap((image) => (image['variants'] as unknown[]).map(String))
        .flatMap((listed) => parseDeliveryUrl(listed, root)?.hash ?? [])
      if (hash === undefined || hashes.length === 0)
        throw new NotCovered('the list contains no delivery URLs with an account hash')
      world.expectValue(new Set(hashes), {
        name: 'is the same',
        expected: `the account hash ${hash}, which is in a delivery URL of the image ${id}`,
        test: (set) => [...set].every((one) => one === hash),
        received: (set) => [...set].join(' and '),
      })
    },
  }),

  check('IMG-IMAGE-10', {
    title: 'returns one delivery URL for each variant',
    door: 'getImage',
    async run({ storeImage, sendOrBlock, readUntil, expect, request, newName }) {
      const [{ id }, name] = [await storeImage(), newName()]
      await sendOrBlock(request.createVariant({ id: name, options }))
      const urls = (exchange: HttpExchange) =>
        deliveryUrlsOf(exchange).filter((url) => lastSegment(url) === name)
      const one: Expectation<HttpExchange> = {
        name: 'has one URL for the variant',
        expected: `exactly one URL in result.variants that ends in /${name}`,
        test: (exchange) => urls(exchange).length === 1,
      }
      expect(await readUntil(request.get(id), one.test), one)
    },
  }),

  check('IMG-IMAGE-10', {
    title: 'returns delivery URLs for the variants of the account, and for no others',
    door: 'getImage',
    run: (world) => expectUrlOfEachVariant(world, urlsInDetails),
  }),

  check('IMG-IMAGE-10', {
    title: 'returns delivery URLs for the variants of the account when an image is uploaded',
    door: 'uploadImage',
    run: (world) => expectUrlOfEachVariant(world, urlsInUpload('account')),
  }),

  check('IMG-IMAGE-10', {
    title: 'lists images with delivery URLs for the variants of the account, and no others',
    door: 'listImages',
    run: (world) => expectUrlOfEachVariant(world, urlsInList('account')),
  }),

  batchCheck('IMG-IMAGE-10', {
    title: "returns delivery URLs for the account's variants on upload to the batch host",
    door: 'batchUploadImage',
    run: (world) => expectUrlOfEachVariant(world, urlsInUpload('batch')),
  }),

  batchCheck('IMG-IMAGE-10', {
    title: "lists images on the batch host with delivery URLs for the account's variants",
    door: 'batchListImages',
    run: (world) => expectUrlOfEachVariant(world, urlsInList('batch')),
  }),

  ...[uploadMethods.fileWithId, uploadMethods.url, uploadMethods.ticket].map((method) =>
    check('IMG-IMAGE-10', {
      title: `returns a delivery URL for an image from ${method.name}`,
      needs: [...method.needs],
      door: 'getImage',
      async run(world) {
        const { id, variant } = await uploadedTestImage(world, method)
        const hasUrl = (read: HttpExchange) =>
          deliveryUrlsOf(read).some((url) => lastSegment(url) === variant)
        world.expect(await world.readUntil(world.request.get(id), hasUrl), {
          name: 'has a URL',
          expected: `a URL in result.variants that ends in /${variant}`,
          test: hasUrl,
        })
      },
    }),
  ),

  check('IMG-IMAGE-10', {
    title: 'returns one delivery URL for each of many variants',
    needs: ['images.bulk'],
    door: 'getImage',
    async run(world) {
      const { image, withoutUrl } = await readWithManyVariants(world)
      world.expect(image, {
        name: 'has one URL for each variant',
        expected: 'exactly one URL in result.variants for each new variant',
        test: (read) => withoutUrl(read).length === 0,
        received: (read) => `no URL, or several URLs, for ${withoutUrl(read).join(', ')}`,
      })
    },
  }),
]
