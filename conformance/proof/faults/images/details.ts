import {
  deliveryUrls,
  recordOf,
  success,
  type ImagesCall,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import {
  fault,
  onRequest,
  onSuccess,
  redirect,
  resultOf,
  withResult,
  type Json,
} from './building.ts'

const get = ['getImage'] as const
const idOf = (call: ImagesCall) => call.params['image_id'] ?? ''

/** Changes a field when a stored image is read. Does not change drafts. */
const changeRead = (
  name: string,
  description: string,
  change: (record: Json) => Json,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-GET-02'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      const record = resultOf(reply)
      if (reply.status !== 200 || record['draft'] === true) return reply
      hit()
      return withResult(reply, { ...record, ...change(record) })
    }, get),
  )

/**
 * Replaces the response for an id that never existed. Ids of deleted images are refused correctly.
 */
function replaceUnknown(
  name: string,
  description: string,
  record: (call: ImagesCall) => Json | undefined,
): ImagesFault {
  return fault(name, description, ['IMG-GET-03'], (hit) => {
    const deleted = new Set<string>()
    return onRequest(
      async (call, next) => {
        const reply = await next()
        if (call.operation === 'deleteImage' && reply.status === 200) deleted.add(idOf(call))
        const replacement =
          call.operation === 'getImage' && reply.status === 404 && !deleted.has(idOf(call))
            ? record(call)
            : undefined
        if (replacement === undefined) return reply
        hit()
        return success(call, replacement)
      },
      ['getImage', 'deleteImage'],
    )(hit)
  })
}

export const details: readonly ImagesFault[] = [
  fault(
    'reading-redirects-to-the-delivery',
    'Redirects a request for an image to its delivery URL.',
    ['IMG-GET-01'],
    onSuccess(
      (_reply, call) =>
        redirect(302, deliveryUrls(call.server, idOf(call))[0] ?? call.server.urls.delivery),
      'getImage',
    ),
  ),
  fault(
    'reading-knows-only-drafts',
    'Returns 404 for every image that is not a draft.',
    ['IMG-GET-01'],
    onRequest((call, next, hit) => {
      if (call.server.store.get(idOf(call))?.draft === false) {
        hit()
        call.params = { image_id: '' }
      }
      return next()
    }, get),
  ),

  changeRead(
    'reading-cuts-the-filename',
    'Returns the filename without its extension.',
    ({ filename }) => ({ filename: String(filename).replace(/\.[^.]*$/, '') }),
  ),
  changeRead(
    'reading-shows-a-path-as-filename',
    'Returns a storage path as the filename.',
    ({ filename }) => ({ filename: `uploads/${String(filename)}` }),
  ),
  changeRead(
    'reading-shows-public-images-as-private',
    'Returns every image with requireSignedURLs: true.',
    () => ({ requireSignedURLs: true }),
  ),
  changeRead('reading-changes-the-case-of-the-id', 'Returns the id in upper case.', ({ id }) => ({
    id: String(id).toUpperCase(),
  })),

  replaceUnknown(
    'unknown-image-reads-as-another',
    'Returns the first image of the account for an unknown id.',
    ({ server }) => {
      const first = server.store.listed[0]
      return first === undefined ? undefined : recordOf(server, first, 'details')
    },
  ),
  replaceUnknown(
    'unknown-image-reads-as-a-draft',
    'Returns an empty draft for an unknown id.',
    (call) => ({
      id: idOf(call),
      filename: '',
      uploaded: new Date(call.server.clock.now()).toISOString(),
      requireSignedURLs: false,
      variants: deliveryUrls(call.server, idOf(call)),
      draft: true,
    }),
  ),
]
