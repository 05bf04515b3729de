import {
  failure,
  recordOf,
  success,
  type ImagesCall,
  type Image,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest, onSuccess, resultOf, saysFalse } from './building.ts'

const remove = ['deleteImage'] as const
const idOf = (call: ImagesCall) => call.params['image_id'] ?? ''

/** What becomes of an image that was just deleted. */
const leftover = (
  name: string,
  description: string,
  violates: ImagesFault['violates'],
  keep: (call: ImagesCall, image: Image) => void,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (call, next, hit) => {
      const image = call.server.store.get(idOf(call))
      const reply = await next()
      if (image !== undefined && reply.status === 200) {
        hit()
        keep(call, image)
      }
      return reply
    }, remove),
  )

/** How many images before and after a deleted one are harmed: those that were stored together may not lie side by side. */
const reach = 3

/** A deletion of an unread image that harms its neighbours. Only those that were hardly read and that nothing describes: others are needed elsewhere. */
function harming(name: string, description: string, status: number, message: string): ImagesFault {
  return fault(name, description, ['IMG-DELETE-04'], (hit) => {
    const reads = new Map<string, number>()
    const harmed = new Set<string>()
    return onRequest(
      async (call, next) => {
        const { store, choices } = call.server
        const id = idOf(call)
        const doomed = call.operation === 'deleteImage' ? store.get(id) : undefined
        const reply = await next()
        if (reply.status !== 200) return reply
        if (doomed !== undefined && !reads.has(id)) {
          for (const {
            id: other,
            seq,
            draft,
            metadata,
            requireSignedURLs,
          } of store.images.values()) {
            if (
              Math.abs(seq - doomed.seq) <= reach &&
              (reads.get(other) ?? 0) < 2 &&
              !draft &&
              !requireSignedURLs &&
              metadata === undefined
            )
              harmed.add(other)
          }
        }
        if (call.operation !== 'getImage') return reply
        reads.set(id, (reads.get(id) ?? 0) + 1)
        if (!harmed.has(id)) return reply
        hit()
        return failure(choices, status, message)
      },
      ['deleteImage', 'getImage'],
    )(hit)
  })
}

/** A deletion of an id that no image has, answered as if there had been one. */
const indulgent = (name: string, description: string, status: number): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-DELETE-05'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 404) return reply
      hit()
      return { ...success(call, {}), status }
    }, remove),
  )

export const deletion: readonly ImagesFault[] = [
  fault(
    'deletion-is-answered-as-not-found',
    'Deletes the image, looks for it once more and answers that it is not found.',
    ['IMG-DELETE-01'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'deleteImage',
    ),
  ),
  fault(
    'deletion-says-success-false',
    'Deletes the image and answers with success false.',
    ['IMG-DELETE-01'],
    onSuccess(saysFalse, 'deleteImage'),
  ),

  leftover(
    'deleted-image-stays-readable',
    'A deleted image leaves the list but is still read.',
    ['IMG-DELETE-02'],
    ({ server }, image) => server.store.add({ ...image }, { list: false }),
  ),
  leftover(
    'deleted-image-turns-into-a-draft',
    'A deleted image loses its file and is read as a draft from then on.',
    ['IMG-DELETE-02'],
    ({ server }, image) =>
      server.store.add({ ...image, draft: true, bytes: undefined }, { list: false }),
  ),

  leftover(
    'deleted-image-stays-listed',
    'A deleted image is read no more but stays in the list.',
    ['IMG-DELETE-03'],
    ({ server }, image) => server.store.list(image),
  ),
  fault(
    'full-pages-remember-deleted-images',
    'The first page of 100 comes from a cache, which still has the images that were deleted.',
    ['IMG-DELETE-03'],
    (hit) => {
      const deleted: Image[] = []
      return onRequest(
        async (call, next) => {
          const image =
            call.operation === 'deleteImage' ? call.server.store.get(idOf(call)) : undefined
          const reply = await next()
          if (image !== undefined && reply.status === 200) deleted.push(image)
          const images =
            call.operation === 'listImages' && reply.status === 200
              ? resultOf(reply)['images']
              : undefined
          if (
            !Array.isArray(images) ||
            call.query.get('per_page') !== '100' ||
            (call.query.get('page') ?? '1') !== '1' ||
            images.length + deleted.length > 99
          )
            return reply
          if (deleted.length > 0) hit()
          return success(call, {
            images: [...images, ...deleted.map((one) => recordOf(call.server, one, 'result'))],
          })
        },
        ['deleteImage', 'listImages'],
      )(hit)
    },
  ),

  harming(
    'deletion-hides-its-neighbours',
    'A deletion takes images along that were stored at the same time.',
    404,
    'There is no such image',
  ),
  harming(
    'deletion-loses-the-files-of-its-neighbours',
    'After a deletion reading an image fails that was stored at the same time.',
    500,
    'The file is lost',
  ),

  indulgent('deleting-nothing-succeeds', 'Deleting an unknown id is answered as a success.', 200),
  indulgent('deleting-nothing-is-put-off', 'Deleting an unknown id is accepted for later.', 202),
]
