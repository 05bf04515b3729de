// How images and variants look in answers.
import { formatOf } from './picture.ts'
import type { Account, Fields, Image, Json, Variant, World } from './world.ts'

export type Place = 'upload' | 'batch-upload' | 'complete' | 'list' | 'batch-list' | 'read'

export const isListing = (place: Place): boolean => place === 'list' || place === 'batch-list'

export function stamp(w: World, time: number): string {
  let at = time
  if (w.on('clock-behind')) at -= 3000
  if (w.on('uploaded-zone-wrong')) at += 2 * 3_600_000
  const text = new Date(at).toISOString()
  if (w.on('uploaded-with-offset')) {
    return new Date(at + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
  }
  if (w.on('uploaded-without-fraction')) return text.replace(/\.\d+/, '')
  if (w.on('uploaded-microseconds')) return text.replace('Z', '417Z')
  if (w.on('uploaded-basic-format')) return text.replace(/[-:]|\.\d+/g, '')
  return text
}

export function pathId(w: World, id: string): string {
  const path = id.split('/').map(encodeURIComponent).join('/')
  return w.on('ids-reserved-characters')
    ? path.replace(/%3A/g, ':').replace(/%3D/g, '=').replace(/%40/g, '@')
    : path
}

function variantUrls(w: World, account: Account, image: Image, place: Place): unknown {
  let names = account.variants.map((variant) => variant.id)
  if (w.on('variants-frozen')) names = image.variantsThen
  if (w.on('variants-keep-deleted')) {
    names = [...names, ...account.deletedVariants.map((variant) => variant.id)]
  }
  if (w.on('variants-first-only')) names = names.slice(0, 1)
  if (w.on('variants-newest-missing') && names.length > 1) names = names.slice(0, -1)
  const hash = w.on('variants-account-id') ? account.id : account.hash
  const root = w.on('variants-relative') ? new URL(w.origins.delivery).pathname : w.origins.delivery
  const shown =
    isListing(place) && w.on('variants-of-other-image')
      ? (account.images.find((one) => !one.draft) ?? image)
      : image
  const id = pathId(w, shown.id)
  let urls = names.map((name) =>
    w.on('variants-swapped') ? `${root}/${hash}/${name}/${id}` : `${root}/${hash}/${id}/${name}`,
  )
  if (w.on('variants-twice')) urls = urls.flatMap((url) => [url, url])
  if (w.on('variants-text')) return urls.join(',')
  if (isListing(place) && w.on('variants-objects')) {
    return urls.map((url, index) => ({ name: names[index], url }))
  }
  return place === 'upload' && w.on('variants-names-only') ? names : urls
}

const textual = (value: Json): Json =>
  typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? value.map(textual)
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, textual(one)]))
    : value === null
      ? null
      : String(value)

const sorted = (value: Json): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort()
          .map(([key, one]) => [key, sorted(one)]),
      )
    : value

function metadataView(w: World, account: Account, image: Image): unknown {
  let metadata: Fields | undefined = image.metadata
  if (metadata === undefined && w.on('metadata-inherited')) {
    metadata = account.images
      .filter((one) => one.sequence < image.sequence && one.metadata)
      .at(-1)?.metadata
  }
  if (metadata === undefined) return w.on('metadata-empty-object') ? {} : undefined
  let entries = Object.entries(metadata)
  if (w.on('metadata-null-dropped')) entries = entries.filter(([, value]) => value !== null)
  if (w.on('metadata-flattened')) {
    entries = entries.map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ])
  }
  if (w.on('metadata-lower-cased')) {
    entries = entries.map(([key, value]) => [key.toLowerCase(), value])
  }
  let shown: Json = Object.fromEntries(entries)
  if (w.on('metadata-values-text')) shown = textual(shown)
  if (w.on('metadata-sorted')) shown = sorted(shown)
  return w.on('metadata-text-in-read') ? JSON.stringify(shown) : shown
}

function draftView(w: World, image: Image): unknown {
  let { draft } = image
  const { ticket } = image
  if (image.via === 'url' && w.on('draft-true-for-url')) draft = true
  if (image.via === 'ticket') {
    if (w.on('draft-stays')) draft = true
    if (w.on('draft-false-at-once')) draft = false
    if (draft && w.on('draft-ends-by-reading') && ++image.reads > 2) draft = false
    if (draft && ticket && w.now() > ticket.expiresAt && w.on('draft-ends-by-expiry')) draft = false
    if (!draft && w.now() > image.uploadedAt + 3_600_000 && w.on('draft-returns')) draft = true
    if (draft && image.refusals > 0 && w.on('draft-ends-by-refused-upload')) draft = false
  }
  if (!draft && w.on('draft-null-when-stored')) return null
  return w.on('draft-text') ? String(draft) : draft
}

function signedView(w: World, image: Image, place: Place): unknown {
  if (isListing(place) && w.on('signed-false-in-list')) return false
  if (place === 'upload' && w.on('signed-text-in-upload')) return String(image.signed)
  if (place === 'read' && w.on('signed-number-in-read')) return Number(image.signed)
  return !image.signedSent && w.on('signed-null-when-absent') ? null : image.signed
}

function uploadedView(w: World, image: Image, place: Place): unknown {
  let at = image.uploadedAt
  if (image.via === 'ticket' && w.on('completion-uploaded-at-ticket')) at = image.createdAt
  if (isListing(place) && w.on('uploaded-number-in-list')) return at
  if (place === 'read' && w.on('uploaded-http-date-in-read')) return new Date(at).toUTCString()
  if (place === 'upload' && w.on('uploaded-us-format')) {
    const day = new Date(at)
    return `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`
  }
  if (place === 'read' && w.on('uploaded-is-now')) at = w.now() + 1
  if (image.via === 'url' && w.on('uploaded-epoch-zero')) at = 0
  return stamp(w, at)
}

function filenameView(w: World, image: Image, place: Place): unknown {
  let name = image.filename
  if (image.via === 'url' && w.on('filename-null-for-url')) return null
  if (image.via === 'ticket' && !image.draft && w.on('completion-filename-lost')) return null
  if (w.on('filename-sanitised')) name = name.toLowerCase().replace(/[^a-z0-9.]+/g, '-')
  return isListing(place) && w.on('filename-changes') ? `copy of ${name}` : name
}

export function imageView(w: World, account: Account, image: Image, place: Place): unknown {
  const view: Record<string, unknown> = {
    id: image.id,
    filename: filenameView(w, image, place),
    uploaded: uploadedView(w, image, place),
    requireSignedURLs: signedView(w, image, place),
    variants: variantUrls(w, account, image, place),
  }
  const uploading = place === 'upload' || place === 'batch-upload'
  if (place === 'complete' && w.on('completion-result-id-only')) return { id: image.id }
  if (
    place === 'read' ||
    (isListing(place) && w.on('list-shows-everything')) ||
    (uploading && w.on('upload-shows-draft'))
  )
    view['draft'] = draftView(w, image)
  if (
    place === 'read' ||
    (isListing(place) && w.on('list-shows-everything')) ||
    (uploading && w.on('upload-shows-metadata'))
  ) {
    const metadata = metadataView(w, account, image)
    if (metadata !== undefined) view['metadata'] = metadata
  }
  if (w.on('extra-image-fields')) {
    view['creator'] = null
    view['size'] = image.bytes.length
    view['format'] = formatOf(image.bytes) ?? 'unknown'
  }
  const drop = (name: string, key: string, here: boolean): void => {
    if (here && w.on(name)) delete view[key]
  }
  drop('filename-missing-in-upload', 'filename', place === 'upload')
  drop('filename-missing-in-list', 'filename', isListing(place))
  drop('filename-missing-in-read', 'filename', place === 'read')
  drop('uploaded-missing-in-list', 'uploaded', isListing(place))
  drop('signed-missing-in-list', 'requireSignedURLs', isListing(place))
  drop('variants-missing-in-upload', 'variants', place === 'upload')
  drop('variants-missing-in-list', 'variants', isListing(place))
  drop('draft-missing', 'draft', place === 'read')
  drop('metadata-missing-in-read', 'metadata', place === 'read')
  if (place === 'read' && w.on('variants-null-in-read')) view['variants'] = null
  if (place === 'upload' && w.on('id-number-in-upload')) view['id'] = 100000 + image.sequence
  if (isListing(place) && w.on('id-missing-in-list')) {
    view['name'] = view['id']
    delete view['id']
  }
  if (place === 'batch-upload' && w.on('batch-upload-id-only')) return { id: image.id }
  return place === 'batch-upload' && w.on('batch-upload-nested') ? { image: view } : view
}

export type VariantPlace = 'create' | 'list' | 'read' | 'patch'

export function variantView(w: World, variant: Variant, place: VariantPlace): unknown {
  let options: Record<string, unknown> = { ...variant.options }
  if (place === 'list' && w.on('variant-list-before-patch')) options = { ...variant.first }
  if (place === 'read' && w.on('variant-read-before-patch')) options = { ...variant.first }
  if (w.on('variant-options-sparse')) {
    for (const key of Object.keys(options)) if (options[key] === undefined) delete options[key]
    if (options['metadata'] === 'none') delete options['metadata']
  }
  if (w.on('variant-width-text') && options['width'] !== undefined) {
    options['width'] = String(options['width'])
  }
  if (place === 'list' && w.on('variant-height-text-in-list') && options['height'] !== undefined) {
    options['height'] = String(options['height'])
  }
  if (place === 'list' && w.on('variant-list-fit-fixed')) options['fit'] = 'scale-down'
  if (place === 'read' && w.on('variant-read-width-null')) options['width'] = null
  const never = w.on('variant-flag-text') ? String(variant.never) : variant.never
  const view: Record<string, unknown> = { id: variant.id, options, neverRequireSignedURLs: never }
  if (w.on('variant-options-flat')) {
    delete view['options']
    Object.assign(view, options)
  }
  if (w.on('variant-timestamps')) {
    view['created'] = stamp(w, variant.createdAt)
    view['modified'] = stamp(w, variant.modifiedAt)
  }
  return view
}
