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

/** A field that reading shows otherwise than the upload did. Drafts are shown as they are. */
const misread = (name: string, description: string, change: (record: Json) => Json): ImagesFault =>
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

/** What is answered for an id that no image ever had. Ids of deleted images are refused as they should be. */
function unknown(
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
        const shown =
          call.operation === 'getImage' && reply.status === 404 && !deleted.has(idOf(call))
            ? record(call)
            : undefined
        if (shown === undefined) return reply
        hit()
        return success(call, shown)
      },
      ['getImage', 'deleteImage'],
    )(hit)
  })
}

export const details: readonly ImagesFault[] = [
  fault(
    'reading-redirects-to-the-picture',
    "Answers a read with a redirect to the image's delivery URL.",
    ['IMG-GET-01'],
    onSuccess(
      (_reply, call) =>
        redirect(302, deliveryUrls(call.server, idOf(call))[0] ?? call.server.urls.delivery),
      'getImage',
    ),
  ),
  fault(
    'reading-knows-only-drafts',
    'Finds an image only while its ticket is open.',
    ['IMG-GET-01'],
    onRequest((call, next, hit) => {
      if (call.server.store.get(idOf(call))?.draft === false) {
        hit()
        call.params = { image_id: '' }
      }
      return next()
    }, get),
  ),

  misread(
    'reading-cuts-the-filename',
    'Reading shows the filename without its ending.',
    ({ filename }) => ({ filename: String(filename).replace(/\.[^.]*$/, '') }),
  ),
  misread(
    'reading-shows-a-path-as-filename',
    'Reading shows where the service keeps the file as its filename.',
    ({ filename }) => ({ filename: `uploads/${String(filename)}` }),
  ),
  misread(
    'reading-shows-public-images-as-private',
    'Reading shows every image with requireSignedURLs true.',
    () => ({ requireSignedURLs: true }),
  ),
  misread(
    'reading-changes-the-case-of-the-id',
    'Reading shows the id in capital letters.',
    ({ id }) => ({ id: String(id).toUpperCase() }),
  ),

  unknown(
    'unknown-image-reads-as-another',
    'Reading an unknown id shows the first image of the account.',
    ({ server }) => {
      const first = server.store.listed[0]
      return first === undefined ? undefined : recordOf(server, first, 'details')
    },
  ),
  unknown(
    'unknown-image-reads-as-a-draft',
    'Reading an unknown id shows an empty draft of that id.',
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
