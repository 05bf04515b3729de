import type { OperationId } from '../../../generated/images/contract.ts'
import { on, type PlayedCheck } from '../../engine/index.ts'
import type { HttpRequest } from '../../wire/index.ts'
import { batchCheck, check } from './define.ts'
import { refused } from './expectations.ts'
import type { Meaning } from './meanings.ts'
import { as, pixelFile as file } from './requests.ts'
import { variantOptions as options, type ImagesWorld } from './world.ts'

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
  updateVariant: async (world) => world.request.updateVariant(await ownVariant(world), { options: { width: 320 } }),
  deleteVariant: async (world) => world.request.deleteVariant(await ownVariant(world)),
  updateConfig: ({ access, request }) => request.config({ flexible_variants: access.flexibleVariants === true }),
  batchUploadImage: ({ request }) => request.upload({ file }, 'batch'),
  batchListImages: ({ request }) => request.list({ per_page: 1 }, 'batch'),
  batchDeleteImage: async ({ given, idOf, request }) => request.remove(idOf(await given(request.upload({ file }, 'batch'))), 'batch'),
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

/** What can be done only once: with the right token it is asked for last, or whoever is let in wrongly would be refused all the same. */
const once = new Set(['deleteImage', 'createVariant', 'deleteVariant', 'batchDeleteImage'])
/** What is done to something of the check's own. */
const toOwn = new Set(['deleteImage', 'updateVariant', 'deleteVariant', 'batchDeleteImage'])

/** Sends one request with several credentials, none of which may be let in, and with the right one: a server that refuses everybody proves nothing. */
async function refusesAll(world: ImagesWorld, ask: Ask, credentials: Record<string, string | undefined>, meaning: Meaning): Promise<void> {
  const request = await ask(world)
  const beside = once.has(request.operation) ? undefined : Promise.allSettled([accepted(world, request)])
  const answers = await Promise.all(
    Object.entries(credentials).map(async ([label, credential]) => ({ label, exchange: await world.send(as(credential, request)) })),
  )
  for (const { label, exchange } of answers) world.expect(exchange, on(label, refused(meaning)))
  if (beside === undefined) await world.given(request)
  else for (const right of await beside) if (right.status === 'rejected') throw right.reason
}

/** What leaves things as they are, or makes something new, has to be let in once for all checks of the operation. */
function accepted(world: ImagesWorld, request: HttpRequest): Promise<unknown> {
  return toOwn.has(request.operation) ? world.given(request) : world.shared(`accepted ${request.operation}`, ({ given }) => given(request))
}

const tokenOf = (operation: string, { access }: ImagesWorld) => (isBatch(operation) ? access.batch!.token : access.token)
const isBatch = (operation: string) => operation.startsWith('batch')
const needsOf = (operation: string) => (operation === 'updateConfig' ? ['images.flexibleVariants'] : [])

const checks: PlayedCheck<ImagesWorld>[] = []
for (const [operation, ask] of Object.entries(asks) as [OperationId, Ask][]) {
  const define = isBatch(operation) ? batchCheck : check
  const needs = needsOf(operation)
  // It sends the present setting: not while somebody looks at what another one does.
  const shares = operation === 'updateConfig' ? 'config' : undefined
  const early = toOwn.has(operation)

  checks.push(
    define(isBatch(operation) ? 'IMG-AUTH-05' : 'IMG-AUTH-01', {
      title: `refuses ${operation} without a valid token`,
      needs,
      shares,
      early,
      async play(world) {
        const token = tokenOf(operation, world)
        const wrong = Object.entries(wrongTokens(token)).filter(([, other]) => other !== token).map(([label, other]) => [label, `Bearer ${other}`])
        await refusesAll(world, ask, { 'no header': undefined, ...Object.fromEntries(wrong) }, 'unauthenticated')
      },
    }),

    define('IMG-AUTH-02', {
      title: `refuses ${operation} where the header holds no bearer token`,
      needs,
      shares,
      early,
      async play(world) {
        const basic = Buffer.from('touchstone:touchstone').toString('base64')
        await refusesAll(world, ask, { 'an empty bearer token': 'Bearer', 'basic credentials': `Basic ${basic}` }, 'without a bearer token')
      },
    }),

    define(isBatch(operation) ? 'IMG-AUTH-06' : 'IMG-AUTH-09', {
      title: `refuses ${operation} with the other host's token`,
      needs: ['images.batch', ...needs],
      shares,
      early,
      async play(world) {
        const other = isBatch(operation) ? world.access.token : world.access.batch!.token
        await refusesAll(world, ask, { "the other host's token": `Bearer ${other}` }, 'foreign')
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
        play: (world) => refusesAll(world, ask, { 'a limited token': `Bearer ${world.access.limitedToken}` }, 'forbidden'),
      }),
    )
  }
}

export const authentication = [
  ...checks,

  check('IMG-AUTH-08', {
    title: "answers another host's token somehow",
    async play({ access, send, observe, request }) {
      observe(`the batch token at the account host: ${(await send(as(`Bearer ${access.batch!.token}`, request.list({ per_page: 1 })))).status}`)
      observe(`the API token at the batch host: ${(await send(as(`Bearer ${access.token}`, request.list({ per_page: 1 }, 'batch')))).status}`)
    },
  }),
]
