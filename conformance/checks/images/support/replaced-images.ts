import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { requireDelivered } from './delivered-test-images.ts'
import { readDeliveryUrl } from './delivery-urls.ts'
import { isSuccess, shows } from './expectations.ts'
import { ifRefused } from './meanings.ts'
import type { TestImage } from './test-images.ts'
import { uploadMethods } from './upload-methods.ts'
import { deliveryVariant, type ImagesWorld } from './world.ts'

const { fileWithId } = uploadMethods

/**
 * Deletes the image with this id, and uploads `second` under the id. Returns the response. Ends the
 * check as not covered if the server refuses the upload.
 */
export async function uploadAgain(
  { sendOrBlock, send, request, waitUntilImageGone }: ImagesWorld,
  id: string,
  second: TestImage,
): Promise<HttpExchange> {
  await sendOrBlock(request.delete(id))
  await waitUntilImageGone(id)
  const fields = { id, file: second.file, requireSignedURLs: 'false' }
  const upload = await send({ ...request.upload(fields), meaning: ifRefused('invalid') })
  if (!isSuccess(upload))
    throw new NotCovered(`the server does not use the id again: ${upload.summary}`)
  return upload
}

/**
 * Deletes an image that was delivered, and uploads another one under its id. Returns what was
 * delivered before and after that. Caches may still deliver the deleted image.
 */
export const deliverReplaced = (
  world: ImagesWorld,
): Promise<{ before: HttpExchange; after: HttpExchange; second: TestImage }> =>
  world.shared('a delivered image whose id is used again', async (common) => {
    const { sendOrBlock, request, newName, fetchDelivered } = common
    await requireDelivered(common, fileWithId)
    const variant = await deliveryVariant(common)
    const id = newName()
    const [first, second] = common.drawTwoImages(...fileWithId.size)
    const fields = { id, file: first.file, requireSignedURLs: 'false' }
    await sendOrBlock(request.upload(fields), 'IMG-UPLOAD-05')
    const url = await readDeliveryUrl(common, id, variant)
    const before = await fetchDelivered(url, shows(first).test)
    if (!shows(first).test(before))
      throw new Blocked('IMG-SERVICE-01', `the image was not delivered: ${before.summary}`)
    await uploadAgain(common, id, second)
    const newUrl = await readDeliveryUrl(common, id, variant)
    return { before, after: await fetchDelivered(newUrl, shows(second).test), second }
  })
