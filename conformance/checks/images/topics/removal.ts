import { Blocked } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { readDeliveryUrl } from '../support/delivery-urls.ts'
import {
  privateTestImage,
  requireDelivered,
  storeTestImage,
} from '../support/delivered-test-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { delivered, noImage, notDelivered, refused, shows } from '../support/expectations.ts'
import { withAuthorization } from '../support/requests.ts'
import { withMovedClock } from '../support/timeline.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

/**
 * Stores two images with the same bytes, deletes one, and requests both. Neither was requested
 * before, so no cache contains them.
 */
const deleteOneOfTwo = (world: ImagesWorld) =>
  world.shared('one of two equal images', async (common) => {
    await requireDelivered(common, uploadMethods.fileWithId)
    const testImage = common.drawTestImage(...uploadMethods.fileWithId.size)
    const store = () =>
      storeTestImage(common, uploadMethods.fileWithId, { isPrivate: false, testImage })
    const [kept, deleted] = await Promise.all([store(), store()])
    if (kept.id === deleted.id)
      throw new Blocked('IMG-UPLOAD-05', `both images have the id ${kept.id}`)
    await common.sendOrBlock(common.request.delete(deleted.id))
    const [ofKept, ofDeleted] = await Promise.all([
      common.fetchDelivered(kept.url, shows(testImage).test),
      common.fetchDelivered(deleted.url, noImage.test),
    ])
    return { testImage, ofKept, ofDeleted }
  })

/** Seconds after which stored images are requested again: more than a day. */
const laterSeconds = 27 * 3600

export const removalChecks = [
  check('IMG-DELETE-04', {
    title: 'delivers an image after another with the same bytes was deleted',
    needs: ['images.delivery'],
    async run(world) {
      const { testImage, ofKept } = await deleteOneOfTwo(world)
      world.expect(ofKept, shows(testImage))
    },
  }),

  check('IMG-AUTH-01', {
    title: 'delivers an image after its deletion without a token was refused',
    needs: ['images.state', 'images.delivery'],
    door: 'deleteImage',
    async run(world) {
      await requireDelivered(world, uploadMethods.file)
      // The image is not requested before, so that no cache contains it.
      const { id, url, testImage } = await storeTestImage(world, uploadMethods.file, {
        isPrivate: false,
      })
      const request = withAuthorization(undefined, world.request.delete(id))
      world.expect(
        await world.send({ ...request, meaning: 'unauthenticated' }),
        refused('unauthenticated'),
      )
      world.readBack(async ({ fetchDelivered, expect }) =>
        expect(await fetchDelivered(url, shows(testImage).test), {
          ...shows(testImage),
          name: 'is still delivered',
        }),
      )
    },
  }),

  check('IMG-DELIVERY-07', {
    title: 'does not deliver a deleted image that was not delivered before',
    needs: ['images.state'],
    async run(world) {
      world.expect((await deleteOneOfTwo(world)).ofDeleted, noImage)
    },
  }),

  check('IMG-DELIVERY-07', {
    title: 'does not deliver an image that was deleted on the batch host',
    needs: ['images.state', 'images.batch'],
    async run(world) {
      await requireDelivered(world, uploadMethods.batch)
      const { id, url } = await storeTestImage(world, uploadMethods.batch, { isPrivate: false })
      await world.sendOrBlock(world.request.delete(id, 'batch'))
      world.expect(await world.fetchDelivered(url, noImage.test), noImage)
    },
  }),

  check('IMG-DELIVERY-07', {
    title: 'delivers nothing in a deleted variant that was not used before',
    needs: ['images.state'],
    async run(world) {
      const { sendOrBlock, request, newName } = world
      const { id } = await requireDelivered(world, uploadMethods.file)
      const variant = newName()
      await sendOrBlock(request.createVariant({ id: variant, options }))
      const url = await readDeliveryUrl(world, id, variant)
      await sendOrBlock(request.deleteVariant(variant))
      world.expect(await world.fetchDelivered(url, noImage.test), noImage)
    },
  }),

  check('IMG-DELETE-06', {
    title: 'records whether a delivered image is still delivered after its deletion',
    needs: ['images.state'],
    async run(world) {
      const { id, url } = await storeTestImage(world, uploadMethods.file, { isPrivate: false })
      await world.fetchDelivered(url, delivered.test)
      await world.sendOrBlock(world.request.delete(id))
      const { status } = await world.fetchDelivered(url)
      world.observe(`the delivery URL right after the deletion: status ${status}`)
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'still delivers an image after a day',
    needs: ['images.state', 'images.clock'],
    run: (world) =>
      withMovedClock(
        world,
        () => requireDelivered(world, uploadMethods.file),
        async (moveTo, { url, testImage }) => {
          await moveTo(laterSeconds)
          world.expect(await world.fetchDelivered(url, delivered.test), shows(testImage))
        },
      ),
  }),

  check('IMG-IMAGE-08', {
    title: 'does not deliver a private image (requireSignedURLs) after a day',
    needs: ['images.state', 'images.clock'],
    run: (world) =>
      withMovedClock(
        world,
        async () => {
          await requireDelivered(world, uploadMethods.file)
          return privateTestImage(world, uploadMethods.file)
        },
        async (moveTo, { url, testImage }) => {
          await moveTo(laterSeconds)
          world.expect(await world.fetchDelivered(url), notDelivered(testImage))
        },
      ),
  }),
]
