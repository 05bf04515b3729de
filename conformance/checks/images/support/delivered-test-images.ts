import { Blocked } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { deliveryUrlsOf, lastSegment, readDeliveryUrl, withoutQuery } from './delivery-urls.ts'
import { idOfUpload, type UploadMethod } from './upload-methods.ts'
import { delivered, shows } from './expectations.ts'
import type { TestImage } from './test-images.ts'
import { deliveryVariant, type ImagesWorld } from './world.ts'

/** A test image that was stored for delivery. */
export interface StoredTestImage {
  readonly id: string
  readonly testImage: TestImage
  /** The delivery URL of the image in the variant `deliveryVariant`. */
  readonly url: string
}

/** A test image that was uploaded after the variant `deliveryVariant` was created. */
interface UploadedTestImage {
  readonly id: string
  readonly testImage: TestImage
  readonly variant: string
  /** The response to the upload, if it contains the image. */
  readonly upload: HttpExchange | undefined
}

interface TestImageOptions {
  /** Whether the upload sets `requireSignedURLs` to true. */
  readonly isPrivate: boolean
  readonly testImage?: TestImage
}

async function uploadTestImage(
  world: ImagesWorld,
  method: UploadMethod,
  { isPrivate, testImage = world.drawTestImage(...method.size) }: TestImageOptions,
): Promise<UploadedTestImage> {
  const variant = await deliveryVariant(world)
  const result = await method.upload(world, { file: testImage.file, requireSignedURLs: isPrivate })
  const upload = 'response' in result ? result.response : undefined
  return { id: idOfUpload(world, result), testImage, variant, upload }
}

/** Finds the delivery URL of an uploaded image. */
async function findUrl(
  world: ImagesWorld,
  { id, testImage, variant, upload }: UploadedTestImage,
): Promise<StoredTestImage> {
  const urls = upload === undefined ? [] : deliveryUrlsOf(upload)
  const own = urls.find((candidate) => lastSegment(candidate) === variant)
  return { id, testImage, url: own ?? (await readDeliveryUrl(world, id, variant)) }
}

/** Stores a test image with an upload method, and finds its delivery URL. */
export const storeTestImage = async (
  world: ImagesWorld,
  method: UploadMethod,
  options: TestImageOptions,
): Promise<StoredTestImage> => findUrl(world, await uploadTestImage(world, method, options))

/** Uploads the public test image of an upload method, once for all checks. */
export const uploadedTestImage = (
  world: ImagesWorld,
  method: UploadMethod,
): Promise<UploadedTestImage> =>
  world.shared(`upload of the public test image from ${method.name}`, (common) =>
    uploadTestImage(common, method, { isPrivate: false }),
  )

/**
 * Requests the public test image of an upload method at its delivery URL, once for all checks.
 * Returns the image and the response.
 */
export const deliveredTestImage = (
  world: ImagesWorld,
  method: UploadMethod,
): Promise<StoredTestImage & { exchange: HttpExchange }> =>
  world.shared(`public test image from ${method.name}`, async (common) => {
    const stored = await findUrl(common, await uploadedTestImage(common, method))
    const exchange = await common.fetchDelivered(stored.url, shows(stored.testImage).test)
    return { ...stored, exchange }
  })

/**
 * Stores the private test image of an upload method, once for all checks. The `url` in the result
 * contains no signature.
 */
export const privateTestImage = (
  world: ImagesWorld,
  method: UploadMethod,
): Promise<StoredTestImage> =>
  world.shared(`private test image from ${method.name}`, async (common) => {
    const stored = await storeTestImage(common, method, { isPrivate: true })
    return { ...stored, url: withoutQuery(stored.url) }
  })

/**
 * Blocks the check unless the public test image of a method is delivered at a URL without a query.
 * Returns the image with this URL.
 */
export async function requireDelivered(
  world: ImagesWorld,
  method: UploadMethod,
): Promise<StoredTestImage> {
  const stored = await deliveredTestImage(world, method)
  const url = withoutQuery(stored.url)
  const exchange =
    url === stored.url ? stored.exchange : await world.fetchDelivered(url, delivered.test)
  if (delivered.test(exchange)) return { ...stored, url }
  throw new Blocked(
    'IMG-SERVICE-01',
    `the request for a public image returned ${exchange.status ?? 'nothing'}`,
  )
}
