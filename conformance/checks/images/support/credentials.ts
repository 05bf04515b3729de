import type { OperationId } from '../../../../generated/images/contract.ts'
import { labelled } from '../../../engine/index.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import { refused } from './expectations.ts'
import type { Meaning } from './meanings.ts'
import { as, pixelFile as file } from './requests.ts'
import { type ImagesWorld, variantOptions as options } from './world.ts'

type Ask = (world: ImagesWorld) => HttpRequest | Promise<HttpRequest>

/** A harmless request for each operation that takes a token. What would be changed or deleted, if it were let in, is the check's own. */
export const asks = {
  uploadImage: ({ request }) => request.upload({ file }),
  createDirectUpload: ({ request }) => request.ticket({}),
  listImages: ({ request }) => request.list({ per_page: 1 }),
  getImage: async ({ image, request }) => request.get((await image()).id),
  deleteImage: async ({ store, request }) => request.remove((await store()).id),
  createVariant: ({ request, name }) => request.createVariant({ id: name(), options }),
  listVariants: ({ request }) => request.listVariants(),
  getVariant: async ({ variant, request }) => request.getVariant(await variant()),
  updateVariant: async (world) =>
    world.request.updateVariant(await ownVariant(world), { options: { width: 320 } }),
  deleteVariant: async (world) => world.request.deleteVariant(await ownVariant(world)),
  updateConfig: ({ access, request }) =>
    request.config({ flexible_variants: access.flexibleVariants === true }),
  batchUploadImage: ({ request }) => request.upload({ file }, 'batch'),
  batchListImages: ({ request }) => request.list({ per_page: 1 }, 'batch'),
  batchDeleteImage: async ({ given, idOf, request }) =>
    request.remove(idOf(await given(request.upload({ file }, 'batch'))), 'batch'),
} satisfies Partial<Record<OperationId, Ask>>

async function ownVariant({ given, request, name }: ImagesWorld): Promise<string> {
  const id = name()
  await given(request.createVariant({ id, options }))
  return id
}

/** Tokens that are close to a valid one and are not it. The first character is changed, since the last one of an encoded signature may hold unused bits. */
export function wrongTokens(token: string): Record<string, string> {
  const changed = token.startsWith('x') ? 'y' : 'x'
  return {
    'another first character': `${changed}${token.slice(1)}`,
    'half of the token': token.slice(0, Math.ceil(token.length / 2)),
    'something after the token': `${token}x`,
  }
}

/** Sends one request with several credentials, none of which may be let in. Its like with the right one must be: a server that refuses everybody proves nothing. */
export async function refusesAll(
  world: ImagesWorld,
  operation: keyof typeof asks,
  credentials: Record<string, string | undefined>,
  meaning: Meaning,
): Promise<void> {
  const ask: Ask = asks[operation]
  // Once for all checks of the operation, and on something else: what deletes leaves nothing to be refused.
  const accepted = Promise.allSettled([
    world.shared(`accepted ${operation}`, async (common) => common.given(await ask(common))),
  ])
  const request = await ask(world)
  const answers = await Promise.all(
    Object.entries(credentials).map(async ([label, credential]) => ({
      label,
      exchange: await world.send({ ...as(credential, request), meaning }),
    })),
  )
  for (const { label, exchange } of answers)
    world.expect(exchange, labelled(label, refused(meaning)))
  const [right] = await accepted
  if (right.status === 'rejected') throw right.reason
}
