import type { ImagesContext } from './call.ts'
import type { ImagesChoices } from './choices.ts'
import { recordOf } from './image.ts'
import type { Image } from './store.ts'

/** An image's record as JSON, and the values that it depends on. */
interface CachedRecord {
  id: string
  filename: string
  uploaded: number
  requireSignedURLs: boolean
  form: string
  json: string
}

// Serialising the records costs more than everything else that a list request does, so they are
// cached.
const cachedRecords = new WeakMap<Image, CachedRecord>()

/** Whether records in lists depend only on the values that `recordsAsJson` compares. */
export function hasUsualForm({
  resultsContainMetadata,
  resultsContainDraft,
  extraFields,
  keyOrder,
  prettyJson,
}: ImagesChoices): boolean {
  return (
    !resultsContainMetadata &&
    !resultsContainDraft &&
    !extraFields &&
    keyOrder === 'natural' &&
    !prettyJson
  )
}

/** The records of images as JSON, without the brackets of the array. */
export function recordsAsJson(server: ImagesContext, images: readonly Image[]): string {
  const form = formOf(server)
  return images.map((image) => cachedRecordOf(server, image, form).json).join(',')
}

function cachedRecordOf(server: ImagesContext, image: Image, form: string): CachedRecord {
  const cached = cachedRecords.get(image)
  const { id, filename, uploaded, requireSignedURLs } = image
  // Faults and tests may change an image in the store, so the cached values are compared.
  if (
    cached !== undefined &&
    cached.form === form &&
    cached.id === id &&
    cached.filename === filename &&
    cached.uploaded === uploaded &&
    cached.requireSignedURLs === requireSignedURLs
  )
    return cached
  const record = {
    id,
    filename,
    uploaded,
    requireSignedURLs,
    form,
    json: JSON.stringify(recordOf(server, image, 'result')),
  }
  cachedRecords.set(image, record)
  return record
}

let lastForm = ''

/**
 * Everything on which the record of an image depends, except the image itself, as a string: the
 * format of timestamps, the delivery address, and the variants.
 */
function formOf({ choices, urls, options, store }: ImagesContext): string {
  let form = `${choices.timestampForm} ${urls.delivery}/${options.accountHash}`
  for (const name of store.readVariants().keys()) form += ` ${name}`
  // Reuses the same string while nothing changes, which makes comparing fast.
  if (form !== lastForm) lastForm = form
  return lastForm
}
