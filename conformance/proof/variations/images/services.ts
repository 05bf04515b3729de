import { createHash } from 'node:crypto'
import { success, type ImagesReply, type NewImage } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, replaceStore, uploads } from './building.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'

const generatedId = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/

/** Generates ids from the bytes, as content-addressed storage does. */
const addressByContent = onOperations(uploads, (call, next) => {
  replaceStore(call, (store) => ({
    add: (image: NewImage, options) => {
      if (!generatedId.test(image.id)) return store.add(image, options)
      const id = createHash('sha256')
        .update(image.bytes ?? '')
        .digest('hex')
      return store.add({ ...image, id }, options)
    },
  }))
  return next()
})

/** Milliseconds that are added to the time of the service. Negative, because its clock is slow. */
const behindMs = -15 * 60_000

/** Has a clock that is 15 minutes slow, in timestamps and in the Date header. */
const slowClock: ImagesDeviation = {
  around: async (call, next) => {
    const { clock } = call.server
    call.server = {
      ...call.server,
      clock: new Proxy(clock, {
        get: (original, name) =>
          name === 'now' ? () => original.now() + behindMs : Reflect.get(original, name, original),
      }),
    }
    const reply: ImagesReply = await next()
    const date = new Date(clock.now() + behindMs).toUTCString()
    return { ...reply, headers: { Date: date, ...reply.headers } }
  },
}

/** The operations that delete something, and the requirements about what does not exist. */
const deletions = [
  ['IMG-DELETE-05', 'deleteImage', 'an image'],
  ['IMG-BATCH-09', 'batchDeleteImage', 'an image on the batch host'],
  ['IMG-VARIANTS-13', 'deleteVariant', 'a variant'],
] as const

/** Behaviour of services that the document does not mention. */
export const services: readonly ImagesFactor[] = [
  {
    requirement: 'none',
    name: 'storage',
    values: [
      { name: 'each upload is a new image', description: 'Stores each upload as a new image.' },
      {
        name: 'equal files are one image',
        description:
          'Derives the ids of images from their bytes, so that equal files are one image.',
        deviation: addressByContent,
      },
    ],
  },
  {
    requirement: 'none',
    name: 'clock of the service',
    values: [
      { name: 'correct', description: 'Has a clock with the right time.' },
      {
        name: '15 minutes slow',
        notCombined: true,
        description: 'Has a clock that is 15 minutes slow.',
        deviation: slowClock,
      },
    ],
  },
  {
    requirement: 'none',
    name: 'test endpoint for the clock',
    values: [
      { name: 'present', description: 'Has an endpoint that moves the clock.' },
      {
        name: 'absent',
        notCombined: true,
        description: 'Has no test endpoint for its clock.',
        choices: { movableClock: false },
      },
      {
        name: 'absent, and the clock is slow',
        notCombined: true,
        description: 'Has no test endpoint for its clock, which is 15 minutes slow.',
        choices: { movableClock: false },
        deviation: slowClock,
      },
      {
        name: 'absent, and an expiry must be two minutes ahead',
        notCombined: true,
        description:
          'Has no test endpoint for its clock, and refuses a ticket that expires within two minutes.',
        choices: { movableClock: false, expiryMinimumMs: 120_000 },
      },
    ],
  },
  ...deletions.map(([requirement, operation, what]): ImagesFactor => ({
    requirement,
    name: `deletion of ${what} that does not exist`,
    values: [
      { name: 'refused', description: 'Returns 404 for the deletion of what does not exist.' },
      {
        name: 'accepted',
        description: 'Returns a success, as for the deletion of something that exists.',
        deviation: onOperations([operation], async (call, next) => {
          const reply = await next()
          // A caller without access is still refused.
          return ['image-unknown', 'variant-unknown'].includes(reply.reason ?? '')
            ? success(call, {})
            : reply
        }),
      },
    ],
  })),
  {
    requirement: 'IMG-COMPLETE-06',
    name: 'redirect after a direct upload',
    values: [
      { name: 'none', description: 'Responds without a redirect.' },
      {
        name: 'to a page',
        notCombined: true,
        description: 'Redirects to a page after a successful upload.',
        deviation: onOperations(['completeDirectUpload'], async (_call, next) => {
          const reply = await next()
          return reply.status === 200
            ? {
                status: 303,
                body: undefined,
                raw: '',
                headers: { Location: 'https://shop.example.com/thanks' },
              }
            : reply
        }),
      },
    ],
  },
]
