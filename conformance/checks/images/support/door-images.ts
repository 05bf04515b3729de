import { randomInt } from 'node:crypto'
import type { HttpExchange } from '../../../wire/index.ts'
import { jsonAt } from './expectations.ts'
import { readWholeList } from './pages.ts'
import { pixelFile, type UploadFields } from './requests.ts'
import type { ImagesWorld, StoredImage } from './world.ts'
import type { ImagesNeed } from '../target.ts'

// One private image for each door of the service, with metadata and, except for direct uploads, an
// id. All checks of records share these images, so that a few requests check a rule at every door.

export type DoorName = 'file' | 'url' | 'ticket' | 'batch'

/** An image of a door, and the options that its upload contained. */
export interface DoorImage {
  readonly id: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly requireSignedURLs: boolean
  /** The response to the upload, if it contains the image. */
  readonly upload: HttpExchange | undefined
}

/** Metadata with keys and values that servers often handle wrongly. It differs for each door. */
const metadataOf = (door: DoorName) => ({
  Door: door,
  'key with space': randomInt(1_000_000),
  none: null,
  Nested: { Deep: [1, null, 'Two', { x: false }], empty: {} },
  ratio: 0.25,
})

/** An id that is longer than most, with letters of both cases, digits, hyphens and underscores. */
export const longName = ({ newName }: ImagesWorld): string =>
  `${newName()}-Holiday-Pictures_2026-Summer-Morning`

const asParts = (fields: Pick<DoorImage, 'id' | 'metadata' | 'requireSignedURLs'>) => ({
  id: fields.id,
  metadata: JSON.stringify(fields.metadata),
  requireSignedURLs: String(fields.requireSignedURLs),
})

const byUpload =
  (door: DoorName, source: (world: ImagesWorld) => Promise<UploadFields>) =>
  async (world: ImagesWorld): Promise<DoorImage> => {
    const fields = { id: longName(world), metadata: metadataOf(door), requireSignedURLs: true }
    const parts = { ...(await source(world)), ...asParts(fields) }
    const request = world.request.upload(parts, door === 'batch' ? 'batch' : 'account')
    return { ...fields, upload: await world.sendOrBlock(request, uploadRoots[door]) }
  }

const uploadRoots = {
  file: 'IMG-UPLOAD-05',
  url: 'IMG-UPLOAD-02',
  ticket: 'IMG-TICKET-01',
  batch: 'IMG-BATCH-04',
} as const

const store: Readonly<Record<DoorName, (world: ImagesWorld) => Promise<DoorImage>>> = {
  file: byUpload('file', () =>
    Promise.resolve({ file: { ...pixelFile, filename: 'Morning view.png' } }),
  ),
  url: byUpload('url', async ({ imageServer, newName }) => ({
    url: (await imageServer()).imageUrl(newName()),
  })),
  async ticket(world) {
    const fields = { metadata: metadataOf('ticket'), requireSignedURLs: true }
    const { id, uploadURL } = await world.createTicket(fields, 'IMG-TICKET-06')
    await world.sendOrBlock(world.request.complete(uploadURL))
    return { ...fields, id, upload: undefined }
  },
  batch: byUpload('batch', () => Promise.resolve({ file: pixelFile })),
}

/** Keys of the target file that a check of a door needs. */
export const doorNeeds: Readonly<Record<DoorName, ImagesNeed[]>> = {
  file: ['images.state'],
  url: ['images.state', 'suite.pictures'],
  ticket: ['images.state'],
  batch: ['images.state', 'images.batch'],
}

/** The shared image of a door. Checks may read it, but not change it. */
export const doorImage = (world: ImagesWorld, door: DoorName): Promise<DoorImage> =>
  world.shared(`image by ${door}`, store[door])

/** The details of the shared image of a door, read once for all checks. */
export const doorDetails = (
  world: ImagesWorld,
  door: Exclude<DoorName, 'batch'>,
): Promise<HttpExchange> =>
  world.shared(`details of the image by ${door}`, async (common) => {
    const { id } = await doorImage(common, door)
    return common.readUntil(
      common.request.get(id),
      (read) => jsonAt(read, 'result', 'id') === id && jsonAt(read, 'result', 'draft') !== true,
    )
  })

/** The entry of the shared image of a door in the list of its host; undefined if it has none. */
export async function doorEntry(
  world: ImagesWorld,
  door: DoorName,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { id } = await doorImage(world, door)
  const host = door === 'batch' ? 'batch' : 'account'
  const listed = (await readWholeList(world, host)).find((entry) => entry['id'] === id)
  // Other clients may have shifted the pages.
  return listed ?? ((await world.findEntry(id, true, host)) as typeof listed)
}

/**
 * Stores an image that the check may delete, and returns its id. The only option that it sends is
 * requireSignedURLs, for `private`.
 */
export async function storeDeletable(
  world: ImagesWorld,
  door: 'url' | 'ticket' | 'private' | 'batch',
): Promise<StoredImage['id']> {
  const { request, sendOrBlock, idOf, imageServer, newName } = world
  if (door === 'batch') return idOf(await sendOrBlock(request.upload({ file: pixelFile }, 'batch')))
  if (door === 'private')
    return (await world.storeImage({ requireSignedURLs: 'true' }, 'IMG-UPLOAD-06')).id
  if (door === 'url') {
    const url = (await imageServer()).imageUrl(newName())
    return idOf(await sendOrBlock(request.upload({ url }), 'IMG-UPLOAD-02'))
  }
  const { id, uploadURL } = await world.createTicket()
  await sendOrBlock(request.complete(uploadURL))
  return id
}
