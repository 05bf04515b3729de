import { Blocked } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { deliveryUrlsOf, lastSegment, readDeliveryUrl, withoutQuery } from './delivery-urls.ts'
import { idOfUpload, type Door } from './doors.ts'
import { delivered, shows } from './expectations.ts'
import type { Picture } from './pictures.ts'
import { deliveryVariant, type ImagesWorld } from './world.ts'

/** A test image that was stored for delivery. */
export interface StoredPicture {
  readonly id: string
  readonly picture: Picture
  /** Its delivery URL in the variant `deliveryVariant`. */
  readonly url: string
}

/** Stores a test image through a door, and finds its delivery URL. */
export async function storePicture(
  world: ImagesWorld,
  door: Door,
  {
    isPrivate,
    picture = world.drawPicture(...door.size),
  }: { isPrivate: boolean; picture?: Picture },
): Promise<StoredPicture> {
  const variant = await deliveryVariant(world)
  const result = await door.upload(world, { file: picture.file, requireSignedURLs: isPrivate })
  const id = idOfUpload(world, result)
  const own =
    'response' in result
      ? deliveryUrlsOf(result.response).find((candidate) => lastSegment(candidate) === variant)
      : undefined
  return { id, picture, url: own ?? (await readDeliveryUrl(world, id, variant)) }
}

/** The public test image of a door, which all checks share, and what its delivery URL returned. */
export const deliveredPicture = (
  world: ImagesWorld,
  door: Door,
): Promise<StoredPicture & { exchange: HttpExchange }> =>
  world.shared(`public test image from ${door.name}`, async (common) => {
    const stored = await storePicture(common, door, { isPrivate: false })
    const exchange = await common.fetchDelivered(stored.url, shows(stored.picture).test)
    return { ...stored, exchange }
  })

/** The private test image of a door, which all checks share. Its `url` contains no signature. */
export const privatePicture = (world: ImagesWorld, door: Door): Promise<StoredPicture> =>
  world.shared(`private test image from ${door.name}`, async (common) => {
    const stored = await storePicture(common, door, { isPrivate: true })
    return { ...stored, url: withoutQuery(stored.url) }
  })

/** Blocks the check unless the public image of a door is delivered at a URL without a query. */
export async function requireDelivered(world: ImagesWorld, door: Door): Promise<StoredPicture> {
  const stored = await deliveredPicture(world, door)
  const url = withoutQuery(stored.url)
  const exchange =
    url === stored.url ? stored.exchange : await world.fetchDelivered(url, delivered.test)
  if (delivered.test(exchange)) return { ...stored, url }
  throw new Blocked('IMG-SERVICE-01', `a public image returned ${exchange.status ?? 'nothing'}`)
}
