import type { OperationId } from '../../../../generated/images/contract.ts'
import { labelled } from '../../../engine/index.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import { refused } from './expectations.ts'
import type { Meaning } from './meanings.ts'
import { withAuthorization, pixelFile as file } from './requests.ts'
import { type ImagesWorld, variantOptions as options } from './world.ts'

type RequestBuilder = (world: ImagesWorld) => HttpRequest | Promise<HttpRequest>

/**
 * A harmless request for each operation that requires a token. It changes or deletes only what the
 * check created itself.
 */
export const sampleRequests = {
  uploadImage: ({ request }) => request.upload({ file }),
  createDirectUpload: ({ request }) => request.ticket({}),
  listImages: ({ request }) => request.list({ per_page: 1 }),
  getImage: async ({ sharedImage, request }) => request.get((await sharedImage()).id),
  deleteImage: async ({ storeImage, request }) => request.delete((await storeImage()).id),
  createVariant: ({ request, newName }) => request.createVariant({ id: newName(), options }),
  listVariants: ({ request }) => request.listVariants(),
  getVariant: async ({ sharedVariant, request }) => request.getVariant(await sharedVariant()),
  updateVariant: async (world) =>
    world.request.updateVariant(await createOwnVariant(world), { options: { width: 320 } }),
  deleteVariant: async (world) => world.request.deleteVariant(await createOwnVariant(world)),
  updateConfig: ({ target, request }) =>
    request.config({ flexible_variants: target.flexibleVariants === true }),
  batchUploadImage: ({ request }) => request.upload({ file }, 'batch'),
  batchListImages: ({ request }) => request.list({ per_page: 1 }, 'batch'),
  batchDeleteImage: async ({ sendOrBlock, idOf, request }) =>
    request.delete(idOf(await sendOrBlock(request.upload({ file }, 'batch'))), 'batch'),
} satisfies Partial<Record<OperationId, RequestBuilder>>

async function createOwnVariant({ sendOrBlock, request, newName }: ImagesWorld): Promise<string> {
  const id = newName()
  await sendOrBlock(request.createVariant({ id, options }))
  return id
}

/**
 * Tokens that resemble a valid one. The first character is changed, because the last character of
 * an encoded signature may contain unused bits.
 */
export function invalidTokens(token: string): Record<string, string> {
  const changed = token.startsWith('x') ? 'y' : 'x'
  return {
    'different first character': `${changed}${token.slice(1)}`,
    'first half of the token': token.slice(0, Math.ceil(token.length / 2)),
    'token with a suffix': `${token}x`,
  }
}

/**
 * Expects that a request is refused with each of these credentials. With the right token it must
 * succeed: a server that refuses every caller would prove nothing.
 */
export async function expectAllRefused(
  world: ImagesWorld,
  operation: keyof typeof sampleRequests,
  credentials: Record<string, string | undefined>,
  meaning: Meaning,
): Promise<void> {
  const buildRequest: RequestBuilder = sampleRequests[operation]
  // Once for all checks of the operation, and with its own resource, which it may delete.
  const control = Promise.allSettled([
    world.shared(`accepted ${operation}`, async (common) =>
      common.sendOrBlock(await buildRequest(common)),
    ),
  ])
  const request = await buildRequest(world)
  const responses = await Promise.all(
    Object.entries(credentials).map(async ([label, credential]) => ({
      label,
      exchange: await world.send({ ...withAuthorization(credential, request), meaning }),
    })),
  )
  for (const { label, exchange } of responses)
    world.expect(exchange, labelled(label, refused(meaning)))
  const [controlResult] = await control
  if (controlResult.status === 'rejected') throw controlResult.reason
}
