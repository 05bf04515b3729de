import type { OperationId } from '../../../../generated/images/contract.ts'
import { on, type PlayedCheck } from '../../../engine/index.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import { batchCheck, check } from '../support/define.ts'
import { refused } from '../support/expectations.ts'
import type { Meaning } from '../support/meanings.ts'
import { as, pixelFile as file } from '../support/requests.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

type Ask = (world: ImagesWorld) => HttpRequest | Promise<HttpRequest>

/** A harmless request for each operation that takes a token. What would be changed or deleted, if it were let in, is the check's own. */
const asks = {
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
function wrongTokens(token: string): Record<string, string> {
  const changed = token.startsWith('x') ? 'y' : 'x'
  return {
    'another first character': `${changed}${token.slice(1)}`,
    'half of the token': token.slice(0, Math.ceil(token.length / 2)),
    'something after the token': `${token}x`,
  }
}

/** Sends one request with several credentials, none of which may be let in. Its like with the right one must be: a server that refuses everybody proves nothing. */
async function refusesAll(
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
      exchange: await world.send(as(credential, request)),
    })),
  )
  for (const { label, exchange } of answers) world.expect(exchange, on(label, refused(meaning)))
  const [right] = await accepted
  if (right.status === 'rejected') throw right.reason
}

const tokenOf = (operation: string, { access }: ImagesWorld) =>
  isBatch(operation) ? access.batch!.token : access.token
const isBatch = (operation: string) => operation.startsWith('batch')
const needsOf = (operation: string) =>
  operation === 'updateConfig' ? ['images.flexibleVariants'] : []

const checks: PlayedCheck<ImagesWorld>[] = []
for (const operation of Object.keys(asks) as (keyof typeof asks)[]) {
  const define = isBatch(operation) ? batchCheck : check
  const needs = needsOf(operation)
  // It sends the present setting: not while somebody looks at what another one does.
  const shares = operation === 'updateConfig' ? 'config' : undefined
  // Something of its own is made first.
  const early = /^(batchD|d)elete|^updateVariant$/.test(operation)

  checks.push(
    define(isBatch(operation) ? 'IMG-AUTH-05' : 'IMG-AUTH-01', {
      title: `refuses ${operation} without a valid token`,
      needs,
      shares,
      early,
      async play(world) {
        const token = tokenOf(operation, world)
        const wrong = Object.entries(wrongTokens(token))
          .filter(([, other]) => other !== token)
          .map(([label, other]) => [label, `Bearer ${other}`])
        await refusesAll(
          world,
          operation,
          { 'no header': undefined, ...Object.fromEntries(wrong) },
          'unauthenticated',
        )
      },
    }),

    define('IMG-AUTH-02', {
      title: `refuses ${operation} where the header holds no bearer token`,
      needs,
      shares,
      early,
      async play(world) {
        const basic = Buffer.from('touchstone:touchstone').toString('base64')
        await refusesAll(
          world,
          operation,
          { 'an empty bearer token': 'Bearer', 'basic credentials': `Basic ${basic}` },
          'without a bearer token',
        )
      },
    }),

    define(isBatch(operation) ? 'IMG-AUTH-06' : 'IMG-AUTH-09', {
      title: `refuses ${operation} with the other host's token`,
      needs: ['images.batch', ...needs],
      shares,
      early,
      async play(world) {
        const other = isBatch(operation) ? world.access.token : world.access.batch!.token
        await refusesAll(
          world,
          operation,
          { "the other host's token": `Bearer ${other}` },
          'foreign',
        )
      },
    }),
  )

  if (!isBatch(operation)) {
    checks.push(
      check('IMG-AUTH-03', {
        title: `refuses ${operation} with a token that may not edit images`,
        needs,
        shares,
        early,
        play: (world) =>
          refusesAll(
            world,
            operation,
            { 'a limited token': `Bearer ${world.access.limitedToken}` },
            'forbidden',
          ),
      }),
    )
  }
}

export const authentication = [
  ...checks,

  check('IMG-AUTH-08', {
    title: "answers another host's token somehow",
    async play({ access, send, observe, request }) {
      const [account, batch] = await Promise.all([
        send(as(`Bearer ${access.batch!.token}`, request.list({ per_page: 1 }))),
        send(as(`Bearer ${access.token}`, request.list({ per_page: 1 }, 'batch'))),
      ])
      observe(`the batch token at the account host: ${account.status}`)
      observe(`the API token at the batch host: ${batch.status}`)
    },
  }),
]
