import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { requireDelivered, storeTestImage } from '../support/delivered-test-images.ts'
import { readDeliveryUrl } from '../support/delivery-urls.ts'
import { delivered, isSuccess, isWithin } from '../support/expectations.ts'
import { shownValues } from '../support/read-back.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import type { ImagesWorld } from '../support/world.ts'

// A server may empty a cache with every upload. While other checks upload, its lists and images
// are then always current. So these checks write when no other check does.

/** Stores an image to delete, and one to deliver in a separate variant. */
const prepare = (world: ImagesWorld) =>
  world.shared('images to change alone', async (common) => {
    await requireDelivered(common, uploadMethods.file)
    const options = { fit: 'scale-down', width: 140, height: 90, metadata: 'none' }
    const variant = common.newName()
    const creation = common.request.createVariant({ id: variant, options })
    await common.sendOrBlock(creation, 'IMG-VARIANT-02')
    const image = await storeTestImage(common, uploadMethods.file, { isPrivate: false })
    const url = await readDeliveryUrl(common, image.id, variant)
    return { variant, url, id: (await common.storeImage()).id }
  })

/**
 * Changes the variant of the delivered image, and then deletes the other one. No other check may
 * write at the same time.
 */
async function writeAlone(world: ImagesWorld) {
  const { variant, url, id } = await prepare(world)
  await world.waitForStage('single-writes')
  return world.shared('writes without other writes', async (common) => {
    const { isListed, sendOrBlock, send, readUntil, request, fetchDelivered } = common
    const before = await fetchDelivered(url, delivered.test)
    const wasListed = await isListed(id, true)
    await sendOrBlock(request.updateVariant(variant, { options: { width: 60 } }))
    // Otherwise, a service could deliver the image with the old width, and keep it in a cache.
    const isChanged = (read: HttpExchange) => shownValues('width', read).includes('60')
    if (!isChanged(await readUntil(request.getVariant(variant), isChanged))) await common.settle()
    const after = await fetchDelivered(url, isWithin(60, 90).test)
    const deletion = await send(request.delete(id))
    return { id, before, after, wasListed, deletion, isStillListed: await isListed(id, false) }
  })
}

export const singleWritesChecks = [
  check('IMG-DELETE-03', {
    title: 'does not list a deleted image, even if nothing is uploaded afterwards',
    needs: ['images.delivery'],
    async run(world) {
      const { id, wasListed, deletion, isStillListed } = await writeAlone(world)
      if (!wasListed) throw new Blocked('IMG-LIST-03', `the list does not contain the image ${id}`)
      if (!isSuccess(deletion)) throw new Blocked('IMG-DELETE-01', deletion.summary)
      world.expectValue(isStillListed, {
        name: 'is not listed',
        expected: `no image with the id ${id} on any page`,
        test: (found) => !found,
        received: () => 'the image is listed',
      })
    },
  }),

  check('IMG-DELIVERY-04', {
    title: 'delivers an image in a changed size, even if nothing is uploaded afterwards',
    needs: ['images.state'],
    async run(world) {
      const { before, after } = await writeAlone(world)
      if (!delivered.test(before)) throw new NotCovered('the image was not delivered before')
      world.expect(after, isWithin(60, 90))
    },
  }),
]
