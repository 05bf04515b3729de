import type { OperationId } from '../../../../generated/images/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { labelled } from '../../../engine/index.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import { refused } from './expectations.ts'
import type { Meaning } from './meanings.ts'
import { withAuthorization, pixelFile as file } from './requests.ts'
import {
  batchImageKept,
  imageKept,
  noBatchImage,
  noImage,
  nothingToRead,
  noVariant,
  variantKept,
  variantUnchanged,
} from './read-back.ts'
import { type ImagesWorld, type ReadBack, variantOptions as options } from './world.ts'

/**
 * A request, and the read-back that verifies that the refused request changed nothing. A request
 * that only reads has no read-back.
 */
interface Sample {
  request: HttpRequest
  readBack?: ReadBack
  /** The requirement that blocks the check if the request with the right token fails. */
  root?: RequirementId
}
type SampleBuilder = (world: ImagesWorld) => Sample | Promise<Sample>

/**
 * For each operation that requires a token, a request that changes or deletes only what the check
 * created.
 */
export const sampleRequests = {
  uploadImage: ({ request, newName }) => {
    const id = newName()
    return { request: request.upload({ file, id }), readBack: noImage(id) }
  },
  createDirectUpload: ({ request, newName }) => {
    const id = newName()
    return { request: request.ticket({ id }), readBack: noImage(id) }
  },
  listImages: ({ request }) => ({ request: request.list({ per_page: 1 }) }),
  getImage: async ({ sharedImage, request }) => ({
    request: request.get((await sharedImage()).id),
  }),
  deleteImage: async ({ storeImage, request }) => {
    const { id } = await storeImage()
    return { request: request.delete(id), readBack: imageKept(id) }
  },
  createVariant: ({ request, newName }) => {
    const id = newName()
    return { request: request.createVariant({ id, options }), readBack: noVariant(id) }
  },
  listVariants: ({ request }) => ({ request: request.listVariants() }),
  getVariant: async ({ sharedVariant, request }) => ({
    request: request.getVariant(await sharedVariant()),
  }),
  updateVariant: async (world) => {
    const id = await createOwnVariant(world)
    const change = { width: 333, fit: 'pad' }
    return {
      request: world.request.updateVariant(id, { options: change }),
      readBack: variantUnchanged(id, change),
    }
  },
  deleteVariant: async (world) => {
    const id = await createOwnVariant(world)
    return { request: world.request.deleteVariant(id), readBack: variantKept(id) }
  },
  updateConfig: ({ target, request }) => ({
    request: request.config({ flexible_variants: target.flexibleVariants === true }),
    readBack: nothingToRead('no operation reads the configuration'),
  }),
  batchUploadImage: ({ request, newName }) => {
    const id = newName()
    return { request: request.upload({ file, id }, 'batch'), readBack: noBatchImage(id) }
  },
  batchListImages: ({ request }) => ({ request: request.list({ per_page: 1 }, 'batch') }),
  batchDeleteImage: async ({ sendOrBlock, idOf, request }) => {
    const id = idOf(await sendOrBlock(request.upload({ file }, 'batch')))
    return { request: request.delete(id, 'batch'), readBack: batchImageKept(id) }
  },
} satisfies Partial<Record<OperationId, SampleBuilder>>

/**
 * Uploads by URL, in addition to `sampleRequests`, because a server may handle them separately. The
 * target must be able to fetch images from the suite.
 */
export const urlUploads = {
  'uploadImage by URL': async ({ request, imageServer, newName }) => {
    const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
    return { request: request.upload({ id, url }), readBack: noImage(id), root: 'IMG-UPLOAD-02' }
  },
  'batchUploadImage by URL': async ({ request, imageServer, newName }) => {
    const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
    return {
      request: request.upload({ id, url }, 'batch'),
      readBack: noBatchImage(id),
      root: 'IMG-BATCH-04',
    }
  },
} satisfies Record<string, SampleBuilder>

async function createOwnVariant({ sendOrBlock, request, newName }: ImagesWorld): Promise<string> {
  const id = newName()
  await sendOrBlock(request.createVariant({ id, options }))
  return id
}

/**
 * Expects that a request is refused with each of these credentials. The same request with the right
 * token must succeed, because a server that refuses every request proves nothing.
 */
export async function expectAllRefused(
  world: ImagesWorld,
  operation: keyof typeof sampleRequests | keyof typeof urlUploads,
  credentials: Record<string, string | undefined>,
  meaning: Meaning,
): Promise<void> {
  const buildSample: SampleBuilder = { ...sampleRequests, ...urlUploads }[operation]
  // The request with the right token is sent once for all checks of the operation. It uses a
  // resource that no refused request uses, because it may change or delete that resource.
  const control = Promise.allSettled([
    world.shared(`accepted ${operation}`, async (common) => {
      const sample = await buildSample(common)
      return common.sendOrBlock(sample.request, sample.root)
    }),
  ])
  const { request, readBack } = await buildSample(world)
  if (readBack !== undefined) world.readBack(readBack)
  const sendWith = async ([label, credential]: [string, string | undefined]) => ({
    label,
    exchange: await world.send({ ...withAuthorization(credential, request), meaning }),
  })
  // The first request is sent alone. A server that ignores credentials accepts it, but may refuse
  // the others because they repeat it.
  const [first, ...others] = Object.entries(credentials)
  const responses = [await sendWith(first!), ...(await Promise.all(others.map(sendWith)))]
  for (const { label, exchange } of responses)
    world.expect(exchange, labelled(label, refused(meaning)))
  const [controlResult] = await control
  if (controlResult.status === 'rejected') throw controlResult.reason
}
