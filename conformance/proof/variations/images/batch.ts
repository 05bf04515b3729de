import { Store } from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { newState, replaceStore } from './building.ts'

/** The store of the batch host. */
const batchStore = newState(({ store: { settleMs } }) => new Store({ settleMs }))
/** The ids of images that were uploaded at the batch host. */
const batchIds = newState(() => new Set<string>())

/**
 * Choices about how the account host and the batch host share images, and refuse each other's
 * tokens.
 */
export const batch: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-BATCH-08',
    name: 'images on the batch host',
    values: [
      {
        name: 'the same as on the account host',
        description: 'Returns the same images at both hosts.',
      },
      {
        name: 'separate from those on the account host',
        description: 'Keeps the images of the batch host separate from those of the account host.',
        deviation: {
          around: (call, next) => {
            const main = call.server.store
            const own = batchStore(call)
            const delivered =
              call.host === 'delivery' && main.read(call.params['image_id'] ?? '') === undefined
            if (call.host !== 'batch' && !delivered) return next()
            call.server = { ...call.server, store: own }
            replaceStore(call, () => ({ readVariants: () => main.readVariants() }))
            return next()
          },
        },
      },
      {
        name: 'only those uploaded to the batch host, while the account host has all images',
        description:
          'Returns all images at the account host. The batch host returns only images uploaded there.',
        deviation: {
          around: async (call, next) => {
            if (call.host !== 'batch') return next()
            const own = batchIds(call)
            replaceStore(call, (store) => {
              const listed = store.listed.filter(({ id }) => own.has(id))
              return {
                listed,
                page: (offset, count, order) =>
                  store
                    .page(0, store.listed.length, order)
                    .filter(({ id }) => own.has(id))
                    .slice(offset, offset + count),
                remove: (id, options) => own.has(id) && store.remove(id, options),
              }
            })
            const reply = await next()
            const { result } = Object(reply.body) as { result?: { id?: string } | null }
            if (
              call.operation === 'batchUploadImage' &&
              reply.status === 200 &&
              result?.id !== undefined
            )
              own.add(result.id)
            return reply
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-AUTH-08',
    name: 'the token of the other host',
    values: [
      { name: 'refused with 401', description: 'Returns 401.' },
      {
        name: 'refused with 403',
        description: 'Returns 403.',
        choices: { foreignTokenStatus: 403 },
      },
    ],
  },
]
