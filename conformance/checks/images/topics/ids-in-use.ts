import { Blocked, NotApplicable } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { readDeliveryUrl } from '../support/delivery-urls.ts'
import { hasValue, isRefusal, isSuccess, jsonAt, shows } from '../support/expectations.ts'
import { ifRefused } from '../support/meanings.ts'
import { imageUnchanged } from '../support/read-back.ts'
import { requireDelivered } from '../support/delivered-test-images.ts'
import { uploadAgain } from '../support/replaced-images.ts'
import type { TestImage } from '../support/test-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { deliveryVariant, type ImagesWorld } from '../support/world.ts'

const { fileWithId } = uploadMethods

/** Stores a public image, reads it, and uploads another file with the same id. */
const uploadTwice = (world: ImagesWorld) =>
  world.shared('two uploads with one id', async (common) => {
    const { sendOrBlock, readUntil, send, request } = common
    const id = common.newName()
    const [first, second] = common.drawTwoImages(...fileWithId.size)
    const upload = ({ file }: TestImage, owner: string) =>
      request.upload({
        id,
        file: { ...file, filename: `${owner}.png` },
        requireSignedURLs: 'false',
        metadata: JSON.stringify({ owner }),
      })
    await sendOrBlock(upload(first, 'first'), 'IMG-UPLOAD-05')
    const before = await readUntil(request.get(id), isSuccess)
    return { id, testImage: first, before, repeated: await send(upload(second, 'second')) }
  })

/**
 * Ends the check as not applicable if the second upload was accepted: a server may replace the
 * image.
 */
function requireRefused(repeated: HttpExchange): void {
  if (!isRefusal(repeated))
    throw new NotApplicable('the server accepts a second upload with an id that is in use')
}

/**
 * Deletes a private image with metadata that was never delivered, and uploads another image, public
 * and without metadata, under its id.
 */
const useIdAgain = (world: ImagesWorld) =>
  world.shared('an id that is used again', async (common) => {
    const { sendOrBlock, send, request, newName } = common
    const id = newName()
    const [{ file }, second] = common.drawTwoImages(...fileWithId.size)
    const metadata = JSON.stringify({ secret: 'of the deleted image' })
    const upload = (requireSignedURLs: string) =>
      request.upload({ id, file, metadata, requireSignedURLs })
    // A server may refuse a private image with an id that the client chose.
    const isPrivate = isSuccess(await send({ ...upload('true'), meaning: ifRefused('invalid') }))
    if (!isPrivate) await sendOrBlock(upload('false'), 'IMG-UPLOAD-05')
    return { id, second, upload: await uploadAgain(common, id, second) }
  })

export const idsInUseChecks = [
  check('IMG-UPLOAD-13', {
    title: 'records the response to an upload with an id that is in use',
    async run(world) {
      const { repeated } = await uploadTwice(world)
      world.observe(`a second upload with the same id: status ${repeated.status}`)
    },
  }),

  check('IMG-GET-02', {
    title: 'returns the first image after a second upload with its id was refused',
    async run(world) {
      const { before, repeated } = await uploadTwice(world)
      requireRefused(repeated)
      if (!isSuccess(before)) throw new Blocked('IMG-GET-01', `getImage returned ${before.summary}`)
      await imageUnchanged(before)(world)
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'delivers the first image after a second upload with its id was refused',
    door: fileWithId.name,
    async run(world) {
      const { id, testImage, repeated } = await uploadTwice(world)
      requireRefused(repeated)
      await requireDelivered(world, fileWithId)
      const url = await readDeliveryUrl(world, id, await deliveryVariant(world))
      world.expect(await world.fetchDelivered(url, shows(testImage).test), shows(testImage))
    },
  }),

  check('IMG-IMAGE-13', {
    title: 'shows no metadata of a deleted image with the same id',
    needs: ['images.state'],
    async run(world) {
      const { id } = await useIdAgain(world)
      world.expect(await world.readUntil(world.request.get(id), isSuccess), {
        name: 'has no metadata of the deleted image',
        expected: 'metadata without the field `secret` of the deleted image',
        test: (read) => jsonAt(read, 'result', 'metadata', 'secret') === undefined,
        received: (read) => JSON.stringify(jsonAt(read, 'result', 'metadata')),
      })
    },
  }),

  check('IMG-UPLOAD-06', {
    title: 'stores requireSignedURLs of a new image, not that of a deleted one with its id',
    needs: ['images.state'],
    async run(world) {
      const { id, upload } = await useIdAgain(world)
      const isPublic = hasValue('is that of the new image', ['result', 'requireSignedURLs'], false)
      world.expect(upload, isPublic)
      world.expect(await world.readUntil(world.request.get(id), isPublic.test), {
        ...isPublic,
        name: 'is read back',
      })
    },
  }),

  check('IMG-DELIVERY-02', {
    title: 'delivers the new image if the id of a deleted image is used again',
    needs: ['images.state', 'images.delivery'],
    async run(world) {
      await requireDelivered(world, fileWithId)
      const { id, second: testImage } = await useIdAgain(world)
      const url = await readDeliveryUrl(world, id, await deliveryVariant(world))
      world.expect(await world.fetchDelivered(url, shows(testImage).test), {
        ...shows(testImage),
        name: 'shows the new image',
      })
    },
  }),
]
