import { similarAccessTokens } from '../../shared/access-tokens.ts'
import { expectAllRefused, sampleRequests, urlUploads } from '../support/credentials.ts'
import { type ActingCheck } from '../../../engine/index.ts'
import { batchCheck, check, watch } from '../support/define.ts'
import { withAuthorization } from '../support/requests.ts'
import { type ImagesWorld } from '../support/world.ts'
import type { ImagesNeed } from '../target.ts'

const tokenOf = (operation: string, { target }: ImagesWorld) =>
  isBatch(operation) ? target.batch!.token : target.token
const isBatch = (operation: string) => operation.startsWith('batch')
const needsOf = (operation: string): ImagesNeed[] =>
  operation === 'updateConfig' ? ['images.flexibleVariants'] : []

const listTokens = [
  'a token with a different last character',
  'a token without its last character',
  'a token with upper and lower case swapped',
]

const checks: ActingCheck<ImagesWorld>[] = []

for (const operation of Object.keys(sampleRequests) as (keyof typeof sampleRequests)[]) {
  const define = isBatch(operation) ? batchCheck : check
  const needs = needsOf(operation)
  // updateConfig sends the current setting, so it must not run during a check that changes the
  // setting. Such a check holds this lock exclusively.
  const sharedLock = operation === 'updateConfig' ? 'config' : undefined
  // Checks of these operations first create a resource, so they send many requests one after the
  // other.
  const sendsEarly = /^(batchD|d)elete|^updateVariant$/.test(operation)

  checks.push(
    define(isBatch(operation) ? 'IMG-AUTH-05' : 'IMG-AUTH-01', {
      title: `refuses ${operation} without a valid token`,
      needs,
      sharedLock: sharedLock,
      sendsEarly: sendsEarly,
      async run(world) {
        const token = tokenOf(operation, world)
        const invalid = Object.entries(similarAccessTokens(token))
          .filter(([, other]) => other !== token)
          // Some tokens are sent only to list operations, because servers compare tokens in the
          // same way for all operations.
          .filter(([label]) => !listTokens.includes(label) || /list/i.test(operation))
          .map(([label, other]) => [label, `Bearer ${other}`])
        await expectAllRefused(
          world,
          operation,
          {
            'a request without the Authorization header': undefined,
            ...Object.fromEntries(invalid),
          },
          'unauthenticated',
        )
      },
    }),

    define('IMG-AUTH-02', {
      title: `refuses ${operation} without a bearer token in the Authorization header`,
      needs,
      sharedLock: sharedLock,
      sendsEarly: sendsEarly,
      async run(world) {
        const basic = Buffer.from('touchstone:touchstone').toString('base64')
        await expectAllRefused(
          world,
          operation,
          { 'an empty bearer token': 'Bearer', 'basic credentials': `Basic ${basic}` },
          'without a bearer token',
        )
      },
    }),

    define(isBatch(operation) ? 'IMG-AUTH-06' : 'IMG-AUTH-09', {
      title: `refuses ${operation} with the token of the ${isBatch(operation) ? 'account' : 'batch'} host`,
      needs: ['images.batch', ...needs],
      sharedLock: sharedLock,
      sendsEarly: sendsEarly,
      async run(world) {
        const other = isBatch(operation) ? world.target.token : world.target.batch!.token
        await expectAllRefused(
          world,
          operation,
          { 'token of the other host': `Bearer ${other}` },
          'foreign',
        )
      },
    }),
  )

  if (!isBatch(operation)) {
    checks.push(
      check('IMG-AUTH-10', {
        title: `refuses ${operation} with a token of another account`,
        needs,
        sharedLock: sharedLock,
        sendsEarly: sendsEarly,
        run: (world) =>
          expectAllRefused(
            world,
            operation,
            { 'token of another account': `Bearer ${world.target.other!.token}` },
            'other account',
          ),
      }),

      check('IMG-AUTH-03', {
        title: `refuses ${operation} with a token that has no permission to edit images`,
        needs,
        sharedLock: sharedLock,
        sendsEarly: sendsEarly,
        run: (world) =>
          expectAllRefused(
            world,
            operation,
            { 'limited token': `Bearer ${world.target.limitedToken}` },
            'forbidden',
          ),
      }),
    )
  }
}

const uploadsByUrl = Object.keys(urlUploads) as (keyof typeof urlUploads)[]

export const authenticationChecks = [
  ...checks,

  ...uploadsByUrl.map((operation) =>
    (isBatch(operation) ? batchCheck : check)(isBatch(operation) ? 'IMG-AUTH-05' : 'IMG-AUTH-01', {
      title: `refuses ${operation} without a valid token`,
      needs: ['suite.pictures'],
      async run(world) {
        const unknown = `Bearer ${world.newName()}`
        const credentials = {
          'a request without the Authorization header': undefined,
          'an unknown token': unknown,
        }
        await expectAllRefused(world, operation, credentials, 'unauthenticated')
      },
    }),
  ),

  check('IMG-AUTH-03', {
    title: 'refuses uploadImage by URL with a token that has no permission to edit images',
    needs: ['suite.pictures'],
    run: (world) =>
      expectAllRefused(
        world,
        'uploadImage by URL',
        { 'limited token': `Bearer ${world.target.limitedToken}` },
        'forbidden',
      ),
  }),

  check('IMG-AUTH-10', {
    title: 'refuses uploadImage by URL with a token of another account',
    needs: ['suite.pictures'],
    run: (world) =>
      expectAllRefused(
        world,
        'uploadImage by URL',
        { 'token of another account': `Bearer ${world.target.other!.token}` },
        'other account',
      ),
  }),

  ...(['listImages', 'batchListImages'] as const).map((operation) =>
    (operation === 'listImages' ? check : batchCheck)('IMG-AUTH-11', {
      title: `refuses ${operation} if the scheme of the token is missing or not Bearer`,
      async run(world) {
        const token = tokenOf(operation, world)
        await expectAllRefused(
          world,
          operation,
          { 'a token without a scheme': token, 'a token with another scheme': `Token ${token}` },
          'without a bearer token',
        )
      },
    }),
  ),

  ...(['listImages', 'batchListImages'] as const).map((operation) =>
    (operation === 'listImages' ? check : batchCheck)('IMG-AUTH-13', {
      title: `accepts ${operation} whatever the case of the header name and the scheme`,
      async run(world) {
        const { request, expectSuccess } = world
        const list = request.list({}, operation === 'listImages' ? 'account' : 'batch')
        const { Authorization: value = '', ...headers } = list.headers ?? {}
        await world.sendOrBlock(list)
        const spellings = {
          'a header name in lower case': { authorization: value },
          'a scheme in lower case': { Authorization: value.replace('Bearer', 'bearer') },
        }
        for (const [label, spelled] of Object.entries(spellings))
          await expectSuccess({ ...list, headers: { ...headers, ...spelled } }, label)
      },
    }),
  ),

  watch('IMG-AUTH-12', {
    title: 'has a WWW-Authenticate header in each response with status 401',
    sources: [],
    examine: (exchange) => {
      if (exchange.status !== 401) return []
      const challenge = exchange.header('www-authenticate')
      return [
        {
          name: 'has a challenge',
          held: challenge !== undefined && challenge !== '',
          expected: `the header WWW-Authenticate in the response to ${exchange.operation}`,
          received: challenge === undefined ? 'no such header' : 'as expected',
        },
      ]
    },
  }),

  check('IMG-AUTH-08', {
    title: 'records how each host responds to the token of the other host',
    async run({ target, send, observe, request }) {
      const [account, batch] = await Promise.all([
        send(withAuthorization(`Bearer ${target.batch!.token}`, request.list({ per_page: 1 }))),
        send(withAuthorization(`Bearer ${target.token}`, request.list({ per_page: 1 }, 'batch'))),
      ])
      observe(`the token of the batch host on the account host: status ${account.status}`)
      observe(`the token of the account host on the batch host: status ${batch.status}`)
    },
  }),
]
