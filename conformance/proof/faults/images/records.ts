import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  recordOf,
  success,
  type Image,
  type ImagesCall,
  type ImagesOperation,
  type UploadForm,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import {
  changeForm,
  fault,
  isObject,
  onRecords,
  onRequest,
  onStored,
  refuse,
  resultOf,
  type Json,
} from './building.ts'

// Servers that show the same image differently in different responses, or that lose values that
// clients commonly send with an image.

/** The names of the form fields that follow the file. */
const fieldsAfterFile = ({ fields, fieldsBeforeFile }: UploadForm): string[] =>
  Object.keys(fields).filter((name) => !(fieldsBeforeFile ?? Object.keys(fields)).includes(name))

/** Changes images in the replies of one operation. */
const changeShown = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  operation: ImagesOperation,
  change: (image: Json, call: ImagesCall) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRecords((image, hit, call) => {
      if (change(image, call)) hit()
    }, operation),
  )

const hourMs = 3_600_000
const shift = (image: Json, ms: number): boolean => {
  image['uploaded'] = new Date(Date.parse(String(image['uploaded'])) + ms).toISOString()
  return true
}

/**
 * Whether an image was uploaded by URL. Its file name then comes from a URL of the suite, and
 * starts with `ts`.
 */
const isByUrl = ({ filename }: Image) => filename.startsWith('ts')
const hasTicket = ({ server }: ImagesCall, id: string) =>
  [...server.store.tickets.values()].some((ticket) => ticket.id === id)

/** Returns a different file name when the details of an image are read again. */
const changeOnSecondRead = fault(
  'details-lose-the-filename-when-read-again',
  'Returns the file name of an image only when its details are read for the first time.',
  ['IMG-GET-04'],
  (hit) => {
    const known = new Set<string>()
    return onRecords((image) => {
      const id = String(image['id'])
      if (image['draft'] === true) return
      if (known.has(id)) {
        hit()
        image['filename'] = 'image'
      }
      known.add(id)
    }, 'getImage')(hit)
  },
)

/** Changes stored images directly after an upload, if `isAffected` is true for them. */
const changeStored = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  operation: ImagesOperation,
  isAffected: (image: Image) => boolean,
  change: (image: Image) => void,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onStored((image, hit) => {
      if (!isAffected(image)) return
      hit()
      change(image)
    }, operation),
  )

const any = () => true
const dropNulls = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(dropNulls)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => member !== null)
            .map(([key, member]) => [key, dropNulls(member)]),
        )
      : value
const lowerNames = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]))

/** Changes the metadata in the responses to requests for an image. */
const changeMetadata = (
  name: string,
  description: string,
  change: (metadata: Record<string, unknown>) => unknown,
): ImagesFault =>
  fault(name, description, ['IMG-IMAGE-13'], (hit) => ({
    around: async (call, next) => {
      const reply = await next()
      if (call.operation !== 'getImage' || reply.status !== 200) return reply
      const result = resultOf(reply)
      if (!isObject(result['metadata'])) return reply
      const metadata = change(result['metadata'])
      if (JSON.stringify(metadata) !== JSON.stringify(result['metadata'])) hit()
      return success(call, { ...result, metadata })
    },
  }))

/** Omits some images from the list. */
const omit = (
  name: string,
  description: string,
  isOmitted: (image: Json, call: ImagesCall) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-LIST-03'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const images = resultOf(reply)['images'] as Json[] | undefined
      if (images === undefined) return reply
      const kept = images.filter((image) => !isOmitted(image, call))
      if (kept.length < images.length) hit()
      return success(call, { ...resultOf(reply), images: kept })
    }, 'listImages'),
  )

export const records: readonly ImagesFault[] = [
  changeOnSecondRead,
  changeShown(
    'private-images-are-listed-as-public',
    'Lists private images with requireSignedURLs false.',
    ['IMG-UPLOAD-06'],
    'listImages',
    (image) => {
      if (image['requireSignedURLs'] !== true) return false
      image['requireSignedURLs'] = false
      return true
    },
  ),
  changeShown(
    'list-shows-other-file-names',
    'Lists images with a file name that differs from the one in the details.',
    ['IMG-GET-04'],
    'listImages',
    (image) => {
      image['filename'] = `listed-${String(image['filename'])}`
      return true
    },
  ),
  changeShown(
    'list-shows-other-times',
    'Lists images with an upload time that is one hour later than in the details.',
    ['IMG-GET-04'],
    'listImages',
    (image) => shift(image, hourMs),
  ),
  changeShown(
    'upload-shows-another-time',
    'Responds to an upload with an upload time three minutes later than in the details.',
    ['IMG-GET-04'],
    'uploadImage',
    (image) => shift(image, 180_000),
  ),
  fault(
    'details-show-the-present',
    'Shows the current time as the upload time whenever an image is read.',
    ['IMG-GET-04'],
    (hit) => {
      let reads = 0
      return onRecords((image) => {
        hit()
        image['uploaded'] = new Date(Date.now() + (reads += 1)).toISOString()
      }, 'getImage')(hit)
    },
  ),
  changeShown(
    'batch-list-shows-other-file-names',
    'Lists images on the batch host with a file name that differs from the upload response.',
    ['IMG-BATCH-13'],
    'batchListImages',
    (image) => {
      image['filename'] = `listed-${String(image['filename'])}`
      return true
    },
  ),
  changeShown(
    'batch-list-shows-all-images-as-public',
    'Lists every image on the batch host with requireSignedURLs false.',
    ['IMG-BATCH-13'],
    'batchListImages',
    (image) => {
      const wasPrivate = image['requireSignedURLs'] === true
      image['requireSignedURLs'] = false
      return wasPrivate
    },
  ),
  ...(['uploadImage', 'completeDirectUpload'] as const).map((operation) =>
    fault(
      `${operation === 'uploadImage' ? 'uploads' : 'direct-uploads'}-happen-in-another-zone`,
      `Stores a time two hours too late with ${operation}, like a local time marked as UTC.`,
      ['IMG-IMAGE-15'],
      onRequest(async (call, next, hit) => {
        const reply = await next()
        const ticket = call.server.store.tickets.get(call.params['token'] ?? '')
        const image = call.server.store.get(String(ticket?.id ?? resultOf(reply)['id']))
        if (reply.status !== 200 || image === undefined) return reply
        hit()
        image.uploaded += 2 * hourMs
        return operation === 'uploadImage'
          ? success(call, recordOf(call.server, image, 'result'))
          : reply
      }, operation),
    ),
  ),
  fault(
    'batch-uploads-happen-in-another-zone',
    'Returns a time two hours too late with an upload to the batch host.',
    ['IMG-IMAGE-15'],
    onRecords((image, hit) => {
      hit()
      shift(image, 2 * hourMs)
    }, 'batchUploadImage'),
  ),
  changeStored(
    'uploads-by-url-happen-in-1970',
    'Stores the beginning of 1970 as the upload time of images that were uploaded by URL.',
    ['IMG-IMAGE-15'],
    'uploadImage',
    isByUrl,
    (image) => void (image.uploaded = 0),
  ),

  changeStored(
    'uploads-by-url-stay-drafts',
    'Returns draft: true for images that were uploaded by URL.',
    ['IMG-STATE-02'],
    'uploadImage',
    isByUrl,
    (image) => void (image.draft = true),
  ),
  changeStored(
    'private-uploads-by-url-are-stored-as-public',
    'Returns a private image in the response to an upload by URL, but stores a public one.',
    ['IMG-UPLOAD-06'],
    'uploadImage',
    isByUrl,
    (image) => void (image.requireSignedURLs = false),
  ),
  changeStored(
    'private-uploads-are-stored-as-public',
    'Returns a private image in the response to an upload, but stores a public one.',
    ['IMG-UPLOAD-06'],
    'uploadImage',
    any,
    (image) => void (image.requireSignedURLs = false),
  ),
  changeShown(
    'list-shows-direct-uploads-as-public',
    'Lists private images as public if they were uploaded with a ticket.',
    ['IMG-TICKET-05'],
    'listImages',
    (image, call) => {
      if (image['requireSignedURLs'] !== true || !hasTicket(call, String(image['id']))) return false
      image['requireSignedURLs'] = false
      return true
    },
  ),
  changeShown(
    'list-shows-uploads-by-url-as-public',
    'Lists private images as public if they were uploaded by URL.',
    ['IMG-UPLOAD-06'],
    'listImages',
    (image) => {
      const isFetched = String(image['filename']).startsWith('ts')
      if (!isFetched || image['requireSignedURLs'] !== true) return false
      image['requireSignedURLs'] = false
      return true
    },
  ),

  changeMetadata(
    'metadata-loses-null-members',
    'Drops members of metadata that are null.',
    dropNulls,
  ),
  changeMetadata(
    'metadata-has-lower-case-names',
    'Returns the names of metadata members in lower case.',
    lowerNames,
  ),
  changeMetadata('metadata-is-flat', 'Drops members of metadata that are objects.', (metadata) =>
    Object.fromEntries(Object.entries(metadata).filter(([, member]) => !isObject(member))),
  ),
  fault(
    'metadata-is-that-of-the-image-before',
    'Stores the metadata of an earlier image with an image that is uploaded without metadata.',
    ['IMG-IMAGE-13'],
    (hit) => {
      let last: Image['metadata']
      return onStored((image) => {
        if (image.metadata !== undefined) last = image.metadata
        else if (last !== undefined) {
          hit()
          image.metadata = last
        }
      }, 'uploadImage')(hit)
    },
  ),

  fault(
    'bytes-survive-deletion',
    'Stores the file of a deleted image with a new image of the same id.',
    ['IMG-DELIVERY-02'],
    (hit) => {
      const known = new Map<string, Image['bytes']>()
      return onStored((image) => {
        if (!known.has(image.id)) known.set(image.id, image.bytes)
        else {
          hit()
          image.bytes = known.get(image.id)
        }
      }, 'uploadImage')(hit)
    },
  ),
  fault(
    'metadata-survives-deletion',
    'Stores the metadata of a deleted image with a new image of the same id without metadata.',
    ['IMG-IMAGE-13'],
    (hit) => {
      const known = new Map<string, Image['metadata']>()
      return onStored((image) => {
        if (image.metadata !== undefined) known.set(image.id, image.metadata)
        else if (known.has(image.id)) {
          hit()
          image.metadata = known.get(image.id)
        }
      }, 'uploadImage')(hit)
    },
  ),

  omit('list-omits-uploads-by-url', 'Does not list images that were uploaded by URL.', (image) =>
    String(image['filename']).startsWith('ts'),
  ),
  omit(
    'list-omits-long-ids',
    'Does not list images with an id of more than 36 characters.',
    (image) => String(image['id']).length > 36,
  ),
  omit(
    'list-omits-private-direct-uploads',
    'Does not list private images that were uploaded with a ticket.',
    (image, call) => image['requireSignedURLs'] === true && hasTicket(call, String(image['id'])),
  ),

  ...(
    [
      [
        'cut-off',
        'Stores an image under the first 24 characters of its id.',
        (id: string) => id.slice(0, 24),
      ],
      [
        'in-lower-case',
        'Stores an image under its id in lower case.',
        (id: string) => id.toLowerCase(),
      ],
    ] as const
  ).map(([name, description, change]) =>
    fault(
      `id-is-stored-${name}`,
      description,
      ['IMG-UPLOAD-05'],
      onRequest(async (call, next, hit) => {
        const { id } = (await call.form()).fields
        const reply = await next()
        const image = call.server.store.get(id ?? '')
        if (id === undefined || image === undefined || change(id) === id) return reply
        hit()
        call.server.store.remove(id)
        call.server.store.add({ ...image, id: change(id) })
        return reply
      }, 'uploadImage'),
    ),
  ),
  fault(
    'fields-after-the-file-are-lost',
    'Ignores the form fields that follow the file.',
    ['IMG-UPLOAD-18'],
    onRequest((call, next, hit) => {
      changeForm(call, (form) => {
        const late = fieldsAfterFile(form)
        if (late.length > 0) hit()
        const fields = Object.entries(form.fields).filter(([name]) => !late.includes(name))
        return { ...form, fields: Object.fromEntries(fields) }
      })
      return next()
    }, 'uploadImage'),
  ),
  fault(
    'metadata-after-the-file-is-lost',
    'Ignores metadata that follow the file.',
    ['IMG-UPLOAD-18'],
    onRequest((call, next, hit) => {
      changeForm(call, (form) => {
        if (!fieldsAfterFile(form).includes('metadata')) return form
        hit()
        const { metadata: _, ...fields } = form.fields
        return { ...form, fields }
      })
      return next()
    }, 'uploadImage'),
  ),
  fault(
    'file-must-be-the-last-part',
    'Refuses a form with fields after the file.',
    ['IMG-UPLOAD-18'],
    onRequest(async (call, next, hit) => {
      if (fieldsAfterFile(await call.form()).length > 0)
        refuse('The file must be the last part of the form', hit)
      return next()
    }, 'uploadImage'),
  ),
]
