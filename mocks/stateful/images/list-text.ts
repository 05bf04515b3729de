import type { ImagesContext } from './call.ts'
import type { ImagesChoices } from './choices.ts'
import { recordOf } from './picture.ts'
import type { Image } from './store.ts'

/** A picture's record as text, and all that it was made from. */
interface Written {
  id: string
  filename: string
  uploaded: number
  requireSignedURLs: boolean
  form: string
  text: string
}

// A list is mostly text that was written before, and writing it again costs more than all else that a request does.
const written = new WeakMap<Image, Written>()

/** Whether records in lists are made from what `textOf` looks at, and shown as they are. */
export function hasUsualForm({
  resultsCarryMetadata,
  resultsCarryDraft,
  extraFields,
  keyOrder,
  prettyJson,
}: ImagesChoices): boolean {
  return (
    !resultsCarryMetadata &&
    !resultsCarryDraft &&
    !extraFields &&
    keyOrder === 'natural' &&
    !prettyJson
  )
}

/** The records of pictures as JSON, without the brackets around them. */
export function textOf(server: ImagesContext, images: readonly Image[]): string {
  const form = formOf(server)
  return images.map((image) => writtenOf(server, image, form).text).join(',')
}

function writtenOf(server: ImagesContext, image: Image, form: string): Written {
  const known = written.get(image)
  const { id, filename, uploaded, requireSignedURLs } = image
  // Anybody may have changed a picture in the store, so nothing is taken for what it was without a look.
  if (
    known !== undefined &&
    known.form === form &&
    known.id === id &&
    known.filename === filename &&
    known.uploaded === uploaded &&
    known.requireSignedURLs === requireSignedURLs
  )
    return known
  const made = {
    id,
    filename,
    uploaded,
    requireSignedURLs,
    form,
    text: JSON.stringify(recordOf(server, image, 'result')),
  }
  written.set(image, made)
  return made
}

let lastForm = ''

/** What a record takes from elsewhere: the form of moments, the delivery address, the variants. */
function formOf({ choices, urls, options, store }: ImagesContext): string {
  let form = `${choices.timestampForm} ${urls.delivery}/${options.accountHash}`
  for (const name of store.readVariants().keys()) form += ` ${name}`
  // One and the same string for as long as nothing changes: that makes it quick to compare.
  if (form !== lastForm) lastForm = form
  return lastForm
}
