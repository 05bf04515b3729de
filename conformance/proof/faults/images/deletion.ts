import {
  failure,
  recordOf,
  success,
  type ImagesCall,
  type Image,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { keepUntilUpload } from './delivery-kit.ts'
import { fault, onRequest, onSuccess, resultOf, reportFailure } from './building.ts'

const deleteOperation = ['deleteImage'] as const
const idOf = (call: ImagesCall) => call.params['image_id'] ?? ''

/** Makes a fault that calls `keep` with each image after its deletion. */
const onDeleted = (
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
    }, deleteOperation),
  )

/**
 * In the order in which the images were stored, a fault can damage up to this many images before a
 * deleted image, and as many after it. One is not enough: images of other checks may lie between
 * those of one check.
 */
const neighbourDistance = 3

/**
 * Makes a fault: after the deletion of an image that was never read, reads of its neighbours fail.
 * Does not damage drafts, private images, and images that have metadata or were read twice, because
 * other checks need them.
 */
function damageNeighbours(
  name: string,
  description: string,
  status: number,
  message: string,
): ImagesFault {
  return fault(name, description, ['IMG-DELETE-04'], (hit) => {
    const reads = new Map<string, number>()
    const damaged = new Set<string>()
    return onRequest(
      async (call, next) => {
        const { store, choices } = call.server
        const id = idOf(call)
        const deleted = call.operation === 'deleteImage' ? store.get(id) : undefined
        const reply = await next()
        if (reply.status !== 200) return reply
        if (deleted !== undefined && !reads.has(id)) {
          for (const {
            id: other,
            seq,
            draft,
            metadata,
            requireSignedURLs,
          } of store.images.values()) {
            if (
              Math.abs(seq - deleted.seq) <= neighbourDistance &&
              (reads.get(other) ?? 0) < 2 &&
              !draft &&
              !requireSignedURLs &&
              metadata === undefined
            )
              damaged.add(other)
          }
        }
        if (call.operation !== 'getImage') return reply
        reads.set(id, (reads.get(id) ?? 0) + 1)
        if (!damaged.has(id)) return reply
        hit()
        return failure(choices, status, message)
      },
      ['deleteImage', 'getImage'],
    )(hit)
  })
}

export const deletion: readonly ImagesFault[] = [
  fault(
    'list-is-kept-until-an-upload',
    'Returns pages of the list from a cache, which only uploads empty.',
    ['IMG-DELETE-03'],
    keepUntilUpload('listImages'),
  ),
  fault(
    'images-with-dots-are-not-deleted',
    'Reports success for the deletion of an image whose id contains a dot, and keeps it.',
    ['IMG-DELETE-02'],
    onRequest((call, next, hit) => {
      const { store } = call.server
      if (store.get(idOf(call)) === undefined || !idOf(call).includes('.')) return next()
      hit()
      return Promise.resolve(success(call, {}))
    }, deleteOperation),
  ),
  fault(
    'deletion-is-answered-as-not-found',
    'Deletes the image and returns 404.',
    ['IMG-DELETE-01'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'deleteImage',
    ),
  ),
  fault(
    'deletion-says-success-false',
    'Deletes the image and returns success: false.',
    ['IMG-DELETE-01'],
    onSuccess(reportFailure, 'deleteImage'),
  ),

  onDeleted(
    'deleted-image-stays-readable',
    'Removes a deleted image from the list but still returns it.',
    ['IMG-DELETE-02'],
    ({ server }, image) => server.store.add({ ...image }, { list: false }),
  ),
  onDeleted(
    'deleted-image-turns-into-a-draft',
    'Turns a deleted image into a draft.',
    ['IMG-DELETE-02'],
    ({ server }, image) =>
      server.store.add({ ...image, draft: true, bytes: undefined }, { list: false }),
  ),

  onDeleted(
    'deleted-image-stays-listed',
    'Returns 404 for a deleted image but still lists it.',
    ['IMG-DELETE-03'],
    ({ server }, image) => server.store.list(image),
  ),
  fault(
    'full-pages-remember-deleted-images',
    'With per_page=100, returns the first page from a cache that contains deleted images.',
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

  damageNeighbours(
    'deletion-hides-its-neighbours',
    'Returns 404 for images that were stored shortly before or after a deleted image.',
    404,
    'There is no such image',
  ),
  damageNeighbours(
    'deletion-loses-the-files-of-its-neighbours',
    'Returns 500 for images that were stored shortly before or after a deleted image.',
    500,
    'The file is lost',
  ),
]
