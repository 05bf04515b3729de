import {
  failure,
  type ImagesCall,
  type ImagesContext,
  type ImagesHost,
  type ImagesOperation,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'
import { RateWindow } from '../rate-window.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, newState } from './building.ts'

/** Refuses one in fifty of these calls with 429 and these headers, such as Retry-After. */
const limitRate = (
  operations: readonly ImagesOperation[],
  headers: Record<string, string> = {},
): ImagesDeviation => {
  const calls = newState(() => ({ count: 0 }))
  return onOperations(operations, async (call, next) => {
    if ((calls(call).count += 1) % 50 !== 25) return next()
    await call.form().catch(() => undefined)
    return { ...failure(call.server.choices, 429, 'Too many requests'), headers }
  })
}

const windowOf = newState(() => new RateWindow(100, 10))

/** Accepts a hundred calls in ten seconds, as the API of a real service might. */
const limitToWindow: ImagesDeviation = {
  around: async (call, next) => {
    if (!['account', 'batch'].includes(call.host) || windowOf(call).accepts()) return next()
    await call.form().catch(() => undefined)
    return {
      ...failure(call.server.choices, 429, 'Too many requests'),
      headers: { 'Retry-After': '10' },
    }
  },
}

const newImage = (id: string, now: number) => ({
  id,
  filename: 'old.png',
  uploaded: now,
  requireSignedURLs: false,
  metadata: { by: 'another client' },
  draft: false,
  bytes: Buffer.from('an image'),
  type: 'image/png',
})

/** Adds more than a page of images and a few variants to the account, at the first call only. */
const seedStore = newState(({ store, clock }: ImagesContext) => {
  for (let n = 0; n < 130; n += 1) store.add(newImage(`old-${n}`, clock.now() - n * 1e9))
  for (const id of ['hero', 'thumbnail', 'AVATAR_1']) {
    store.putVariant({
      id,
      options: { fit: 'cover', width: 111, height: 222, metadata: 'keep' },
      neverRequireSignedURLs: id === 'hero',
    })
  }
  return true
})

/** Removes the variant that a new account has, at the first call only. */
const emptyStore = newState(({ store }: ImagesContext) => store.removeVariant('public'))

/**
 * Acts like another client at every third call: stores an image, and deletes the image that was
 * stored 300 calls earlier.
 */
const simulateOthers = (call: ImagesCall) => {
  const n = (callCount(call).count += 1)
  if (n % 3 !== 0) return
  const { store, clock } = call.server
  store.add(newImage(`other-${n}`, clock.now()))
  store.remove(`other-${n - 300}`)
}
const callCount = newState(() => ({ count: 0 }))

const beforeCalls = (
  hosts: readonly ImagesHost[],
  act: (call: ImagesCall) => unknown,
): ImagesDeviation => ({
  around: (call, next) => {
    if (hosts.includes(call.host)) act(call)
    return next()
  },
})

/**
 * Choices about rate limits, about images and variants that exist before a run, and about other
 * clients.
 */
export const traffic: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-LIMIT-08',
    name: 'rate limit of the account host',
    values: [
      { name: 'none', description: 'Accepts every upload.' },
      {
        name: 'some uploads are refused with 429',
        description: 'Refuses some uploads with 429.',
        deviation: limitRate(['uploadImage', 'createDirectUpload', 'completeDirectUpload'], {
          'Retry-After': '0',
        }),
      },
      {
        name: 'some requests other than uploads are refused with 429',
        description: 'Refuses some calls to the account host with 429.',
        deviation: limitRate([
          'getImage',
          'listImages',
          'deleteImage',
          'createVariant',
          'updateVariant',
          'getVariant',
          'deleteVariant',
          'updateConfig',
        ]),
      },
      {
        name: 'a number of requests per period, such as 100 per ten seconds',
        notCombined: true,
        description: 'Accepts 100 calls in ten seconds, and then returns 429 with Retry-After.',
        deviation: limitToWindow,
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-10',
    name: 'rate limit of the batch host',
    values: [
      { name: 'none', description: 'Accepts every call.' },
      {
        name: 'some requests are refused with 429',
        description: 'Refuses some calls with 429.',
        deviation: limitRate(['batchUploadImage', 'batchListImages', 'batchDeleteImage'], {
          'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT',
        }),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'contents of the account',
    values: [
      { name: 'one variant and no images', description: 'Has one variant and no images.' },
      {
        name: 'neither images nor variants',
        description: 'Has neither images nor variants.',
        deviation: beforeCalls(['account', 'batch'], emptyStore),
      },
      {
        name: 'more than a page of images',
        description: 'Has more than a page of images, and variants.',
        deviation: beforeCalls(['account', 'batch'], seedStore),
      },
      {
        name: 'changed by other clients',
        notCombined: true,
        description: 'Has other clients that upload and delete images all the time.',
        choices: { listOrder: 'newest' },
        deviation: beforeCalls(['account', 'batch'], simulateOthers),
      },
    ],
  },
]
