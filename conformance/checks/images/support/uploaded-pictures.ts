import { Blocked } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { deliveryUrlsOf, lastSegment, readDeliveryUrl, withoutQuery } from './delivery-urls.ts'
import { idOfUpload, type UploadMethod } from './upload-methods.ts'
import { delivered, shows } from './expectations.ts'
import type { Picture } from './pictures.ts'
import { deliveryVariant, type ImagesWorld } from './world.ts'

/** A test image that was stored for delivery. */
export interface StoredPicture {
  readonly id: string
  readonly picture: Picture
  /** The delivery URL of the image in the variant `deliveryVariant`. */
  readonly url: string
}

/** A test image that was uploaded when the account had the variant `deliveryVariant`. */
interface UploadedPicture {
  readonly id: string
  readonly picture: Picture
  readonly variant: string
  /** The response to the upload, if it contains the image. */
  readonly upload: HttpExchange | undefined
}

interface PictureOptions {
  readonly isPrivate: boolean
  readonly picture?: Picture
}

async function uploadPicture(
  world: ImagesWorld,
  method: UploadMethod,
  { isPrivate, picture = world.drawPicture(...method.size) }: PictureOptions,
): Promise<UploadedPicture> {
  const variant = await deliveryVariant(world)
  const result = await method.upload(world, { file: picture.file, requireSignedURLs: isPrivate })
  const upload = 'response' in result ? result.response : undefined
  return { id: idOfUpload(world, result), picture, variant, upload }
}

/** Finds the delivery URL of an uploaded image. */
async function findUrl(
  world: ImagesWorld,
  { id, picture, variant, upload }: UploadedPicture,
): Promise<StoredPicture> {
  const urls = upload === undefined ? [] : deliveryUrlsOf(upload)
  const own = urls.find((candidate) => lastSegment(candidate) === variant)
  return { id, picture, url: own ?? (await readDeliveryUrl(world, id, variant)) }
}

/** Stores a test image with an upload method, and finds its delivery URL. */
export const storePicture = async (
  world: ImagesWorld,
  method: UploadMethod,
  options: PictureOptions,
): Promise<StoredPicture> => findUrl(world, await uploadPicture(world, method, options))

/** Uploads the public test image of an upload method, once for all checks. */
export const uploadedPicture = (
  world: ImagesWorld,
  method: UploadMethod,
): Promise<UploadedPicture> =>
  world.shared(`upload of the public test image from ${method.name}`, (common) =>
    uploadPicture(common, method, { isPrivate: false }),
  )

/**
 * Requests the public test image of an upload method at its delivery URL, once for all checks.
 * Returns the image and the response.
 */
export const deliveredPicture = (
  world: ImagesWorld,
  method: UploadMethod,
): Promise<StoredPicture & { exchange: HttpExchange }> =>
  world.shared(`public test image from ${method.name}`, async (common) => {
    const stored = await findUrl(common, await uploadedPicture(common, method))
    const exchange = await common.fetchDelivered(stored.url, shows(stored.picture).test)
    return { ...stored, exchange }
  })

/**
 * Stores the private test image of an upload method, once for all checks. The `url` in the result
 * contains no signature.
 */
export const privatePicture = (world: ImagesWorld, method: UploadMethod): Promise<StoredPicture> =>
  world.shared(`private test image from ${method.name}`, async (common) => {
    const stored = await storePicture(common, method, { isPrivate: true })
    return { ...stored, url: withoutQuery(stored.url) }
  })

/**
 * Blocks the check unless the public test image of a method is delivered at a URL without a query.
 * Returns the image with this URL.
 */
export async function requireDelivered(
  world: ImagesWorld,
  method: UploadMethod,
): Promise<StoredPicture> {
  const stored = await deliveredPicture(world, method)
  const url = withoutQuery(stored.url)
  const exchange =
    url === stored.url ? stored.exchange : await world.fetchDelivered(url, delivered.test)
  if (delivered.test(exchange)) return { ...stored, url }
  throw new Blocked('IMG-SERVICE-01', `a public image returned ${exchange.status ?? 'nothing'}`)
}
