import { percentDecode } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import {
  deliveryRootOf,
  deliveryUrlsOf,
  lastSegment,
  parseDeliveryUrl,
  requireUrlParts,
  withoutQuery,
} from '../support/delivery-urls.ts'
import {
  idsOf,
  isSuccess,
  jsonAt,
  jsonEquals,
  notDelivered,
  shows,
} from '../support/expectations.ts'
import { mentions } from '../support/json-search.ts'
import {
  imageKept,
  noImage,
  noVariant,
  shownValues,
  variantKept,
  variantUnchanged,
} from '../support/read-back.ts'
import { pixelFile as file, type ImagesRequests } from '../support/requests.ts'
import {
  requireDelivered,
  storeTestImage,
  uploadedTestImage,
} from '../support/delivered-test-images.ts'
import { readImage } from '../support/test-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'

const { fileWithId } = uploadMethods

/** Requests for the other account of the target file, with its token. */
const requestsOfOther = ({ target, request }: ImagesWorld): ImagesRequests =>
  request.under(target.other!.account, target.other!.token)

/** Stores an image in the other account. Blocks the check if it cannot be read there. */
async function storeInOther(world: ImagesWorld): Promise<string> {
  const id = world.newName()
  const other = requestsOfOther(world)
  await world.sendOrBlock(other.upload({ file, id }))
  const read = await world.readUntil(other.get(id), isSuccess)
  if (!isSuccess(read)) throw new Blocked('IMG-GET-01', `getImage returned ${read.summary}`)
  return id
}

/** Creates a variant in the other account. Blocks the check if it cannot be read there. */
async function createInOther(world: ImagesWorld): Promise<string> {
  const id = world.newName()
  const other = requestsOfOther(world)
  await world.sendOrBlock(other.createVariant({ id, options }))
  const read = await world.readUntil(other.getVariant(id), isSuccess)
  if (!isSuccess(read)) throw new Blocked('IMG-VARIANTS-03', `getVariant returned ${read.summary}`)
  return id
}

/**
 * Creates a variant in the other account, and returns the account hash in the delivery URLs of an
 * image of that account.
 */
async function readHashOfOther(world: ImagesWorld, variant: string): Promise<string | undefined> {
  const other = requestsOfOther(world)
  // A service may refuse a name that another account uses.
  await world.send(other.createVariant({ id: variant, options }))
  const id = await storeInOther(world)
  const hasUrls = (exchange: HttpExchange) => deliveryUrlsOf(exchange).length > 0
  const urls = deliveryUrlsOf(await world.readUntil(other.get(id), hasUrls))
  return urls.flatMap((url) => parseDeliveryUrl(url, deliveryRootOf(world))?.hash ?? [])[0]
}

const isImage = (id: string) => (exchange: HttpExchange) =>
  isSuccess(exchange) && jsonAt(exchange, 'result', 'id') === id

/** Expects that a read does not show the image with this id. */
const hidesImage = (name: string, id: string) => ({
  name,
  expected: `no image with the id ${id}, which belongs to another account`,
  test: (exchange: HttpExchange) => !isImage(id)(exchange),
  received: ({ summary }: HttpExchange) => `${summary}, which contains that image`,
})

/** Expects that a read still shows the image with this id. */
const keepsImage = (name: string, id: string) => ({
  name,
  expected: `the image with the id ${id}`,
  test: isImage(id),
})

const keptFields = ['id', 'filename', 'uploaded', 'metadata']
const keptValues = (exchange: HttpExchange) =>
  Object.fromEntries(keptFields.map((field) => [field, jsonAt(exchange, 'result', field)]))

/** Expects that a read shows the same image as an earlier one. */
const isSameImage = (name: string, before: HttpExchange) => ({
  name,
  expected: JSON.stringify(keptValues(before)),
  test: (exchange: HttpExchange) =>
    isSuccess(exchange) && jsonEquals(keptValues(exchange), keptValues(before)),
  received: (exchange: HttpExchange) =>
    isSuccess(exchange) ? JSON.stringify(keptValues(exchange)) : exchange.summary,
})

export const accountsChecks = [
  check('IMG-SERVICE-03', {
    title: 'neither returns, lists nor deletes an image of another account',
    async run(world) {
      const { send, expect, expectValue, request, isListed } = world
      const id = await storeInOther(world)
      expect(await send(request.get(id)), hidesImage('is not read', id))
      expectValue(await isListed(id, false), {
        name: 'is not listed',
        expected: `no image with the id ${id}, which belongs to another account, on any page`,
        test: (found) => !found,
        received: () => 'the image is listed',
      })
      await send(request.delete(id))
      expect(await send(requestsOfOther(world).get(id)), keepsImage('is not deleted', id))
    },
  }),

  check('IMG-SERVICE-03', {
    title: 'neither lists nor deletes an image of another account on the batch host',
    needs: ['images.batch'],
    async run(world) {
      const { send, expect, expectValue, request, isListed } = world
      const id = await storeInOther(world)
      expectValue(await isListed(id, false, 'batch'), {
        name: 'is not listed',
        expected: `no image with the id ${id}, which belongs to another account, on any page`,
        test: (found) => !found,
        received: () => 'the image is listed',
      })
      await send(request.delete(id, 'batch'))
      expect(await send(requestsOfOther(world).get(id)), keepsImage('is not deleted', id))
    },
  }),

  check('IMG-SERVICE-03', {
    title: 'keeps an image if another account stores and deletes one with the same id',
    async run(world) {
      const { send, sendOrBlock, readImage, expect, newName, request } = world
      const other = requestsOfOther(world)
      const id = newName()
      const fields = (owner: string) => ({
        file: { ...file, filename: `${owner}.png` },
        id,
        metadata: JSON.stringify({ owner }),
      })
      await sendOrBlock(request.upload(fields('first')), 'IMG-UPLOAD-09')
      const before = await readImage(id)
      const second = await send(other.upload(fields('second')))
      expect(await send(request.get(id)), isSameImage('is not replaced', before))
      // A service may refuse an id that another account uses.
      if (!isSuccess(second)) return
      await sendOrBlock(other.delete(id))
      expect(await send(request.get(id)), isSameImage('is not deleted', before))
    },
  }),

  check('IMG-SERVICE-03', {
    title: 'delivers an image after another account stored one with the same id',
    needs: ['images.delivery'],
    async run(world) {
      await requireDelivered(world, fileWithId)
      const [testImage, otherImage] = world.drawTwoImages(...fileWithId.size)
      // This image was not requested before, so no cache contains it.
      const { id, url } = await storeTestImage(world, fileWithId, { isPrivate: false, testImage })
      const other = requestsOfOther(world)
      const variant = lastSegment(withoutQuery(url))
      // A service may refuse a name that another account uses.
      await world.send(other.createVariant({ id: percentDecode(variant), options }))
      const upload = { file: otherImage.file, id, requireSignedURLs: 'false' }
      const second = await world.send(other.upload(upload))
      world.expect(await world.fetchDelivered(url, shows(testImage).test), shows(testImage))
      if (!isSuccess(second)) return
      const isOfVariant = (own: string) => lastSegment(own) === variant
      const hasUrl = (read: HttpExchange) => deliveryUrlsOf(read).some(isOfVariant)
      const read = await world.readUntil(other.get(id), hasUrl)
      const otherUrl = deliveryUrlsOf(read).find(isOfVariant)
      if (otherUrl === undefined || otherUrl === url) return
      // The colours of an image are compared only if it is a PNG.
      const isOwn = (exchange: HttpExchange) =>
        readImage(exchange.body)?.format === 'png' && shows(testImage).test(exchange)
      world.expect(await world.fetchDelivered(otherUrl, shows(otherImage).test), {
        name: 'the URL of the other account: does not show the image',
        expected: 'not the image of the first account',
        test: (exchange) => !isOwn(exchange),
        received: () => 'the image of the first account',
      })
    },
  }),

  check('IMG-DELIVERY-06', {
    title: 'does not deliver an image at a URL with the hash of another account',
    needs: ['images.other', 'images.state'],
    async run(world) {
      const { url, testImage } = await requireDelivered(world, uploadMethods.file)
      const { hash, variant, withParts } = requireUrlParts(world, url)
      const { upload } = await uploadedTestImage(world, fileWithId)
      const hashes = deliveryUrlsOf(upload!).map(
        (own) => parseDeliveryUrl(own, deliveryRootOf(world))?.hash,
      )
      if (hashes.some((own) => own !== hash))
        throw new NotCovered('images of one account have different hashes')
      // The variant must exist in both accounts. Otherwise the missing variant, and not the
      // account, would prevent the delivery.
      const other = await readHashOfOther(world, percentDecode(variant))
      if (other === undefined) throw new NotCovered('the other account has no delivery URLs')
      if (other === hash) throw new NotCovered('both accounts have the same hash')
      const foreignUrl = withParts({ hash: other })
      world.expect(await world.fetchDelivered(foreignUrl), notDelivered(testImage))
    },
  }),

  check('IMG-DELIVERY-05', {
    title: 'delivers no image in a variant that exists only in another account',
    needs: ['images.other', 'images.state'],
    async run(world) {
      const { url, testImage } = await requireDelivered(world, uploadMethods.file)
      const { withParts } = requireUrlParts(world, url)
      const foreignUrl = withParts({ variant: await createInOther(world) })
      world.expect(await world.fetchDelivered(foreignUrl), notDelivered(testImage))
    },
  }),

  check('IMG-SERVICE-03', {
    title: 'stores a direct upload only in the account of its ticket',
    async run(world) {
      const { send, sendOrBlock, readUntil, expect, newName, request } = world
      const other = requestsOfOther(world)
      const id = newName()
      const ticket = await sendOrBlock(other.ticket({ id }))
      await sendOrBlock(request.complete(String(jsonAt(ticket, 'result', 'uploadURL'))))
      expect(
        await readUntil(other.get(id), isImage(id)),
        keepsImage('is in the account of its ticket', id),
      )
      expect(await send(request.get(id)), hidesImage('is not in the other account', id))
    },
  }),

  check('IMG-SERVICE-04', {
    title: 'neither returns, lists, changes nor deletes a variant of another account',
    async run(world) {
      const { send, expect, request } = world
      const id = await createInOther(world)
      expect(await send(request.getVariant(id)), {
        name: 'is not read',
        expected: `no variant with the id ${id}, which belongs to another account`,
        test: (exchange) => !isSuccess(exchange),
      })
      expect(await send(request.listVariants()), {
        name: 'is not listed',
        expected: `no ${id} in the list of variants`,
        test: (list) => !mentions(id, jsonAt(list, 'result')),
        received: () => 'the variant is listed',
      })
      const other = requestsOfOther(world)
      await send(request.updateVariant(id, { options: { width: 271 } }))
      expect(await send(other.getVariant(id)), {
        name: 'is not changed',
        expected: `the variant ${id} of the other account without the width 271`,
        test: (exchange) => !shownValues('width', exchange).includes('271'),
        received: () => 'width 271',
      })
      await send(request.deleteVariant(id))
      expect(await send(other.getVariant(id)), {
        name: 'is not deleted',
        expected: `the variant ${id} of the other account`,
        test: isSuccess,
      })
    },
  }),

  check('IMG-SERVICE-04', {
    title: 'keeps a variant if another account changes or deletes one with the same id',
    async run(world) {
      const { send, readVariant, expect, sendOrBlock, newName, request } = world
      const other = requestsOfOther(world)
      const id = newName()
      await sendOrBlock(request.createVariant({ id, options }))
      await readVariant(id)
      const second = await send(other.createVariant({ id, options: { ...options, width: 272 } }))
      const isOwn = (name: string, foreign: string) => ({
        name,
        expected: `the variant ${id} without the width ${foreign} of the other account`,
        test: (exchange: HttpExchange) =>
          isSuccess(exchange) && !shownValues('width', exchange).includes(foreign),
        received: (exchange: HttpExchange) =>
          `${exchange.summary}, width ${shownValues('width', exchange).join(' and ')}`,
      })
      expect(await send(request.getVariant(id)), isOwn('is not replaced', '272'))
      // A service may refuse a name that another account uses.
      if (!isSuccess(second)) return
      await sendOrBlock(other.updateVariant(id, { options: { width: 273 } }))
      expect(await send(request.getVariant(id)), isOwn('is not changed', '273'))
      await sendOrBlock(other.deleteVariant(id))
      expect(await send(request.getVariant(id)), {
        name: 'is not deleted',
        expected: `the variant ${id}, because the other account deleted only its own variant ${id}`,
        test: isSuccess,
      })
    },
  }),

  check('IMG-ADDRESS-04', {
    title: 'shows no data of an account under the path of an unknown account',
    async run(world) {
      const { sharedImage, sharedVariant, send, sendOrBlock, expect, request, newName } = world
      const { id } = await sharedImage()
      const variant = await sharedVariant()
      await Promise.all([sendOrBlock(request.get(id)), sendOrBlock(request.getVariant(variant))])
      const unknownAccount = request.under(newName())
      const [image, list, read, variants] = await Promise.all([
        send(unknownAccount.get(id)),
        send(unknownAccount.list({ per_page: 100 })),
        send(unknownAccount.getVariant(variant)),
        send(unknownAccount.listVariants()),
      ])
      const isEmpty = (name: string, member: string, mentioned: string) => ({
        name,
        expected: `no ${member} of the account under the path of an unknown account`,
        test: (exchange: HttpExchange) =>
          !isSuccess(exchange) || !mentions(mentioned, jsonAt(exchange, 'result')),
        received: ({ summary }: HttpExchange) => `${summary}, which contains ${mentioned}`,
      })
      expect(image, hidesImage('reads no image', id))
      // The shared image can be on a later page. Any image of this run proves that the server lists
      // the images of the account.
      expect(list, {
        name: 'lists no image',
        expected: 'no image of the account under the path of an unknown account',
        test: (exchange) => !isSuccess(exchange) || !idsOf(exchange).some(world.isOwnImage),
        received: ({ summary }) => `${summary}, with images of the account`,
      })
      expect(read, isEmpty('reads no variant', 'variant', variant))
      expect(variants, isEmpty('lists no variant', 'variant', variant))
    },
  }),

  check('IMG-ADDRESS-04', {
    title: 'changes no data of an account under the path of an unknown account',
    async run(world) {
      const { storeImage, send, sendOrBlock, readBack, request, newName } = world
      const [{ id }, variant, doomed] = [await storeImage(), newName(), newName()]
      await Promise.all(
        [variant, doomed].map((name) => sendOrBlock(request.createVariant({ id: name, options }))),
      )
      const unknownAccount = request.under(newName())
      const [uploaded, draft, created] = [newName(), newName(), newName()]
      await Promise.all([
        send(unknownAccount.upload({ file, id: uploaded })),
        send(unknownAccount.ticket({ id: draft })),
        send(unknownAccount.delete(id)),
        send(unknownAccount.createVariant({ id: created, options })),
        send(unknownAccount.updateVariant(variant, { options: { width: 274 } })),
        send(unknownAccount.deleteVariant(doomed)),
      ])
      readBack(
        noImage(uploaded),
        noImage(draft),
        imageKept(id),
        noVariant(created),
        variantUnchanged(variant, { width: 274 }),
        variantKept(doomed),
      )
    },
  }),
]
