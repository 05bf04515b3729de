import { refusesAll, asks, wrongTokens } from '../support/credentials.ts'
import { type ActingCheck } from '../../../engine/index.ts'
import { batchCheck, check } from '../support/define.ts'
import { as } from '../support/requests.ts'
import { type ImagesWorld } from '../support/world.ts'
import type { ImagesNeed } from '../target.ts'

const tokenOf = (operation: string, { access }: ImagesWorld) =>
  isBatch(operation) ? access.batch!.token : access.token
const isBatch = (operation: string) => operation.startsWith('batch')
const needsOf = (operation: string): ImagesNeed[] =>
  operation === 'updateConfig' ? ['images.flexibleVariants'] : []

const checks: ActingCheck<ImagesWorld>[] = []
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
      sharedLock: shares,
      sendsEarly: early,
      async run(world) {
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
      sharedLock: shares,
      sendsEarly: early,
      async run(world) {
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
      sharedLock: shares,
      sendsEarly: early,
      async run(world) {
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
        sharedLock: shares,
        sendsEarly: early,
        run: (world) =>
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
    async run({ access, send, observe, request }) {
      const [account, batch] = await Promise.all([
        send(as(`Bearer ${access.batch!.token}`, request.list({ per_page: 1 }))),
        send(as(`Bearer ${access.token}`, request.list({ per_page: 1 }, 'batch'))),
      ])
      observe(`the batch token at the account host: ${account.status}`)
      observe(`the API token at the batch host: ${batch.status}`)
    },
  }),
]
