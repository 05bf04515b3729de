import { randomInt } from 'node:crypto'
import type { HttpExchange } from '../../../wire/index.ts'
import { doors, type Door, type DoorOptions } from './doors.ts'
import { jsonAt } from './expectations.ts'
import { readWholeList } from './pages.ts'
import { pixelFile } from './requests.ts'
import type { ImagesWorld } from './world.ts'
import type { ImagesNeed } from '../target.ts'

// One private image for each door of the service, with metadata and, except for direct uploads, an
// id. All checks of records share these images, so that a few requests check a rule at every door.

/** An image of a door, and the metadata that its upload contained. */
export interface DoorImage {
  readonly id: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The response to the upload, if it contains the image. */
  readonly upload: HttpExchange | undefined
}

/** Metadata with keys and values that servers often handle wrongly. It differs for each door. */
const metadataOf = ({ key }: Door) => ({
  Door: key,
  'key with space': randomInt(1_000_000),
  none: null,
  Nested: { Deep: [1, null, 'Two', { x: false }], empty: {} },
  ratio: 0.25,
})

/** An id that is longer than most, with letters of both cases, digits, hyphens and underscores. */
const longId = ({ newName }: ImagesWorld): string =>
  `${newName()}-Holiday-Pictures_2026-Summer-Morning`

async function store(world: ImagesWorld, door: Door): Promise<DoorImage> {
  const metadata = metadataOf(door)
  // The document excludes private direct uploads whose id the client chose.
  const id = door === doors.ticket ? undefined : longId(world)
  const options: DoorOptions = {
    ...(door === doors.file ? { file: { ...pixelFile, filename: 'Morning view.png' } } : {}),
    ...(id === undefined ? {} : { id }),
    metadata,
    requireSignedURLs: true,
  }
  const result = await door.upload(world, options)
  return 'ticketId' in result
    ? { id: result.ticketId, metadata, upload: undefined }
    : { id: id!, metadata, upload: result.response }
}

/** Keys of the target file that a check of the shared image of a door needs. */
export const needsOfDoor = ({ needs }: Door): ImagesNeed[] => ['images.state', ...needs]

/** The shared image of a door. Checks may read it, but not change it. */
export const doorImage = (world: ImagesWorld, door: Door): Promise<DoorImage> =>
  world.shared(`image by ${door.key}`, (common) => store(common, door))

/** The details of the shared image of a door of the account host, read once for all checks. */
export const doorDetails = (world: ImagesWorld, door: Door): Promise<HttpExchange> =>
  world.shared(`details of the image by ${door.key}`, async (common) => {
    const { id } = await doorImage(common, door)
    return common.readUntil(
      common.request.get(id),
      (read) => jsonAt(read, 'result', 'id') === id && jsonAt(read, 'result', 'draft') !== true,
    )
  })

/** The entry of the shared image of a door in the list of its host; undefined if it has none. */
export async function doorEntry(
  world: ImagesWorld,
  door: Door,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { id } = await doorImage(world, door)
  const host = door === doors.batch ? 'batch' : 'account'
  const listed = (await readWholeList(world, host)).find((entry) => entry['id'] === id)
  // Other clients may have shifted the pages.
  return listed ?? ((await world.findEntry(id, true, host)) as typeof listed)
}
