import { uniquePng, type HttpExchange } from '../../../wire/index.ts'
import { uploadMethods, type UploadMethod, type UploadOptions } from './upload-methods.ts'
import { isSuccess, jsonAt } from './expectations.ts'
import { ifRefused } from './meanings.ts'
import { readWholeList } from './pages.ts'
import { pixelFile, type ApiHost } from './requests.ts'
import type { ImagesWorld } from './world.ts'

// Stores one image by each upload method, with metadata and with `requireSignedURLs` true. If the
// service allows that, the suite chooses the id. All checks in records.ts share these images, so
// few requests test every method.

/** A stored image, and the metadata that its upload contained. */
export interface UploadedImage {
  readonly id: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The response to the upload, if it contains the image. */
  readonly upload: HttpExchange | undefined
}

/** Metadata with keys and values that servers often handle wrongly, different for each method. */
const metadataOf = ({ randomInt }: ImagesWorld, { key }: UploadMethod) => ({
  Source: key,
  'key with space': randomInt(0, 1_000_000),
  none: null,
  Nested: { Deep: [1, null, 'Two', { x: false }], empty: {} },
  ratio: 0.25,
})

/** An id that is longer than most, with letters of both cases, digits, hyphens and underscores. */
const longId = ({ newName }: ImagesWorld): string =>
  `${newName()}-Holiday-Pictures_2026-Summer-Morning`

/**
 * Whether a host accepts private images with an id that the client chose. The document excludes
 * them only for direct uploads, but a service may have the same rule for all uploads.
 */
const acceptsPrivateIds = (world: ImagesWorld, host: ApiHost): Promise<boolean> =>
  world.shared(`private image with an id on the ${host} host`, async ({ send, request, newName }) =>
    isSuccess(
      await send({
        ...request.upload({ file: pixelFile, id: newName(), requireSignedURLs: 'true' }, host),
        meaning: ifRefused('invalid'),
      }),
    ),
  )

async function store(world: ImagesWorld, method: UploadMethod): Promise<UploadedImage> {
  const metadata = metadataOf(world, method)
  const choosesId = method !== uploadMethods.ticket && (await acceptsPrivateIds(world, method.host))
  const id = choosesId ? longId(world) : undefined
  const isByUrl = method === uploadMethods.url || method === uploadMethods.batchUrl
  const options: UploadOptions = {
    ...(method === uploadMethods.file
      ? { file: { ...pixelFile, filename: 'Morning view.png' } }
      : {}),
    // A service may derive ids from bytes, and the URLs of the suite usually return equal bytes.
    ...(isByUrl && id === undefined ? { file: { ...pixelFile, value: uniquePng() } } : {}),
    ...(id === undefined ? {} : { id }),
    metadata,
    requireSignedURLs: true,
  }
  const result = await method.upload(world, options)
  return 'ticketId' in result
    ? { id: result.ticketId, metadata, upload: undefined }
    : { id: id ?? world.idOf(result.response), metadata, upload: result.response }
}

/** The shared image of an upload method. Checks may read it, but not change it. */
export const sharedImageOf = (world: ImagesWorld, method: UploadMethod): Promise<UploadedImage> =>
  world.shared(`image by ${method.key}`, (common) => store(common, method))

/** Reads the shared image of an upload method on the account host, once for all checks. */
export const sharedDetailsOf = (world: ImagesWorld, method: UploadMethod): Promise<HttpExchange> =>
  world.shared(`details of the image by ${method.key}`, async (common) => {
    const { id } = await sharedImageOf(common, method)
    return common.readUntil(
      common.request.get(id),
      (read) => jsonAt(read, 'result', 'id') === id && jsonAt(read, 'result', 'draft') !== true,
    )
  })

/**
 * Finds the shared image of an upload method in the list of its host. Returns undefined if it
 * is not listed.
 */
export async function sharedEntryOf(
  world: ImagesWorld,
  method: UploadMethod,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { id } = await sharedImageOf(world, method)
  const { host } = method
  const listed = (await readWholeList(world, host)).find((entry) => entry['id'] === id)
  // Other clients may have shifted the pages.
  return listed ?? ((await world.findEntry(id, true, host)) as typeof listed)
}
