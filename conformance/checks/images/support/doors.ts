import { Blocked } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ImagesNeed } from '../target.ts'
import { deliveryUrlsOf, lastSegment, readDeliveryUrl, withoutQuery } from './delivery-urls.ts'
import { delivered, isSuccess, shows } from './expectations.ts'
import type { Picture } from './pictures.ts'
import { deliveryVariant, type ImagesWorld } from './world.ts'

/** A test image that was stored for delivery. */
export interface StoredPicture {
  readonly id: string
  readonly picture: Picture
  /** Its delivery URL in the variant `deliveryVariant`. */
  readonly url: string
}

/** A way to upload an image, such as a file, a URL or a direct upload. */
export interface Door {
  readonly name: string
  readonly needs: readonly ImagesNeed[]
  /** Pixels of its test images: landscape or portrait, and smaller than `deliveryVariant`. */
  readonly size: readonly [width: number, height: number]
  /** Stores a test image. Returns its id and, if there was one, the response with its record. */
  store(
    world: ImagesWorld,
    picture: Picture,
    isPrivate: boolean,
  ): Promise<{ id: string; described?: HttpExchange }>
}

const file: Door = {
  name: 'a file',
  needs: [],
  size: [150, 97],
  store: async (world, picture, isPrivate) => {
    const { id, upload } = await world.storeImage(
      { file: picture.file, requireSignedURLs: String(isPrivate) },
      'IMG-UPLOAD-06',
    )
    return { id, described: upload }
  },
}

const fileWithId: Door = {
  name: 'a file with an id',
  needs: [],
  size: [94, 146],
  store: async (world, picture, isPrivate) => {
    const { id, upload } = await world.storeImage(
      { file: picture.file, id: world.newName(), requireSignedURLs: String(isPrivate) },
      'IMG-UPLOAD-05',
    )
    return { id, described: upload }
  },
}

const url: Door = {
  name: 'a URL',
  needs: ['suite.pictures'],
  size: [143, 89],
  store: async (world, picture, isPrivate) => {
    const { send, request, newName, requireFetched, blockIfOperationBroken } = world
    const address = (await world.imageServer()).serve(newName(), picture.file.value)
    const fields = { url: address, requireSignedURLs: String(isPrivate) }
    const stored = await send({ ...request.upload(fields), meaning: 'success' })
    if (!isSuccess(stored)) {
      await requireFetched(address)
      await blockIfOperationBroken(stored)
      throw new Blocked('IMG-UPLOAD-02', `${stored.operation} returned ${stored.summary}`)
    }
    return { id: world.idOf(stored), described: stored }
  },
}

const ticket: Door = {
  name: 'a direct upload',
  needs: [],
  size: [139, 101],
  store: async (world, picture, isPrivate) => {
    const { id, uploadURL } = await world.createTicket(
      { requireSignedURLs: isPrivate },
      'IMG-TICKET-05',
    )
    await world.sendOrBlock(world.request.complete(uploadURL, picture.file))
    return { id }
  },
}

const batchHost: Door = {
  name: 'the batch host',
  needs: ['images.batch'],
  size: [101, 151],
  store: async (world, picture, isPrivate) => {
    const { sendOrBlock, request, idOf } = world
    const fields = { file: picture.file, requireSignedURLs: String(isPrivate) }
    const described = await sendOrBlock(request.upload(fields, 'batch'), 'IMG-BATCH-04')
    return { id: idOf(described), described }
  },
}

/** Every way to upload an image. */
export const doors = { file, fileWithId, url, ticket, batchHost } as const satisfies Record<
  string,
  Door
>

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
  const { id, described } = await door.store(world, picture, isPrivate)
  const own =
    described === undefined
      ? undefined
      : deliveryUrlsOf(described).find((candidate) => lastSegment(candidate) === variant)
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
