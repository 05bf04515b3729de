// Uploading, listing, reading and deleting images; the API and the batch host share these.
import { Fail, MAX_FILE } from './wire.mjs'
import { readForm } from './multipart.mjs'
import { customId, formBoolean, formMetadata, printTime } from './fields.mjs'
import { findImage, generateId, idIsFree, nextBirth, removeImage, variantOwner } from './store.mjs'
import { ingest } from './ingest.mjs'
import { mediaType, readHeader } from './png.mjs'

function variantUrls(s, account, image, where) {
  let names = [...variantOwner(s, account).variants.keys()]
  if (image.draft && s.on('draft-without-variants')) return []
  if (s.on('image-variants-fixed-at-upload')) names = image.variantsAtUpload
  if (s.on('image-keeps-deleted-variants'))
    names = [...new Set([...names, ...(account.goneVariants ?? [])])]
  if (where === 'list' && s.on('list-first-variant-only')) names = names.slice(0, 1)
  const hash = s.on('variant-url-with-account-id') ? account.id : account.hash
  const id = s.on('variant-url-id-unescaped') ? image.id : encodeURIComponent(image.id)
  return names.map((name) =>
    s.on('variant-url-parts-swapped') && image.custom
      ? `${s.urls.delivery}/${hash}/${encodeURIComponent(name)}/${id}`
      : `${s.urls.delivery}/${hash}/${id}/${encodeURIComponent(name)}`,
  )
}

/** The record of an image as an operation shows it; where is upload, list, details or complete. */
export function imageView(s, account, image, where, door) {
  const view = { id: image.id, filename: image.filename }
  view.uploaded = printTime(
    s,
    where === 'details' && s.on('uploaded-is-time-of-reading') ? Date.now() : image.uploaded,
  )
  if (where === 'list' && s.on('list-uploaded-number'))
    view.uploaded = Math.floor(image.uploaded / 1000)
  if (image.fromTicket && s.on('ticket-image-uploaded-at-ticket'))
    view.uploaded = printTime(s, image.ticket.issued)
  view.requireSignedURLs = image.signed
  if (where === 'list' && s.on('list-always-public-flag')) view.requireSignedURLs = false
  view.variants = variantUrls(s, account, image, where)
  const draftWhere = where === 'details' || s.on('draft-in-every-record')
  if (draftWhere) view.draft = image.draft
  if (where === 'details') {
    if (!image.draft && s.on('draft-field-only-when-true')) delete view.draft
    if (image.draft && s.on('draft-reported-false')) view.draft = false
    if (image.fromTicket && image.custom && s.on('custom-id-draft-stays')) view.draft = true
    if (s.on('draft-as-number')) view.draft = Number(view.draft)
    if (image.signed && s.on('private-details-without-variants')) delete view.variants
  }
  const metadataWhere =
    where === 'details' ||
    (where === 'list' ? s.on('metadata-in-list') : s.on('metadata-in-upload-result'))
  if (metadataWhere) {
    if (image.metadata !== undefined)
      view.metadata =
        s.on('metadata-shown-as-text') && !image.fromTicket
          ? JSON.stringify(image.metadata)
          : image.metadata
    else if (s.on('empty-metadata-object')) view.metadata = {}
  }
  if (where === 'upload' && image.fromUrl && s.on('url-upload-without-variants'))
    delete view.variants
  if (door === 'batch' && where === 'list' && s.on('batch-list-without-filename'))
    delete view.filename
  if (door === 'batch' && where === 'upload' && s.on('batch-upload-without-uploaded'))
    delete view.uploaded
  if (where === 'list' && image.custom && s.on('list-filename-is-id')) view.filename = image.id
  if (s.on('size-in-record') && !image.draft) view.size = image.bytes.length
  return view
}

/** Refuses a file that is too large, empty or no image. */
export function checkFile(s, data, how) {
  let limit = s.on('size-limit-one-less') ? MAX_FILE - 1 : MAX_FILE
  if (how.chunked && s.on('chunked-size-unchecked')) limit = Infinity
  if (how.door === 'batch' && s.on('batch-size-unchecked')) limit = Infinity
  if (how.door === 'upload' && s.on('upload-host-size-unchecked')) limit = Infinity
  if (how.fromUrl && s.on('ingest-size-unchecked')) limit = Infinity
  if (data.length > limit) throw new Fail(413, 'file too large')
  if (data.length === 0) throw new Fail(400, 'the file is empty')
  const type = mediaType(data)
  if (type === undefined && !s.on('any-file-accepted'))
    throw new Fail(400, 'the file is no image of a known format')
  if (type === 'image/svg+xml' && s.on('svg-refused')) throw new Fail(400, 'SVG is not accepted')
  if (type === 'image/png' && !readHeader(data)) throw new Fail(400, 'the PNG has no valid header')
  return type ?? 'application/octet-stream'
}

export function newImage(s, account, given) {
  const image = {
    uploaded: Date.now(),
    draft: false,
    born: nextBirth(),
    variantsAtUpload: [...account.variants.keys()],
    ...given,
  }
  if (s.on('metadata-inherited-after-deletion') && image.metadata === undefined)
    image.metadata = account.leftovers.get(image.id)?.metadata
  account.images.delete(image.id) // an id that is taken again goes to the end of the order
  account.images.set(image.id, image)
  return image
}

export async function upload(s, account, req, meta) {
  const { door } = meta
  const form = await readForm(s, req, door)
  const both = form.file && form.url !== undefined
  if (both) {
    const passes =
      s.on('file-wins-over-url') || (door === 'batch' && s.on('batch-file-and-url-accepted'))
    if (!passes) {
      if (s.on('file-and-url-stored-anyway'))
        await store(s, account, { ...form, url: undefined }, meta)
      throw new Fail(400, 'file and url must not both be sent')
    }
    delete form.url
  }
  if (!form.file && form.url === undefined) {
    if (!s.on('upload-without-image-accepted')) throw new Fail(400, 'file or url is required')
    form.file = {
      data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      filename: 'empty',
    }
  }
  return imageView(s, account, await store(s, account, form, meta), 'upload', door)
}

async function store(s, account, form, meta) {
  const { door } = meta
  const fromUrl = form.url !== undefined
  let signed = formBoolean(s, form.requireSignedURLs, 'requireSignedURLs')
  let metadata
  let refused
  try {
    metadata = formMetadata(s, form.metadata, door)
  } catch (err) {
    if (!s.on('bad-metadata-stores-image')) throw err
    refused = err
  }
  let id = customId(s, form.id, door)
  if (fromUrl && s.on('url-upload-ignores-id')) id = undefined
  if (door === 'batch' && s.on('batch-ignores-id')) id = undefined
  if (id !== undefined && signed && s.on('private-custom-id-refused'))
    throw new Fail(400, 'a private image cannot have a custom id')
  const checkId = () => {
    if (id !== undefined && !s.on('taken-id-is-replaced') && !idIsFree(s, account, id))
      throw new Fail(400, 'id is taken')
  }
  checkId()
  if (fromUrl && s.on('url-upload-forgets-private')) signed = false
  if (fromUrl && s.on('url-upload-forgets-metadata')) metadata = undefined
  if (door === 'batch' && s.on('batch-forgets-private')) signed = false
  const given = { signed, metadata, door, fromUrl, custom: id !== undefined }
  let got = form.file
  if (fromUrl) {
    if (door === 'batch' && s.on('batch-url-unsupported'))
      throw new Fail(400, 'url is not supported')
    try {
      got = await ingest(s, form.url)
    } catch (err) {
      if (s.on('failed-ingest-leaves-image'))
        newImage(s, account, {
          ...given,
          id: id ?? generateId(s, account),
          filename: '',
          bytes: Buffer.alloc(0),
          type: 'image/png',
        })
      throw err
    }
    checkId() // somebody may have taken it meanwhile
  }
  let type
  try {
    type = checkFile(s, got.data, { door, fromUrl, chunked: form.chunked && !fromUrl })
  } catch (err) {
    if (err.status !== 413 || !s.on('too-large-file-stored')) throw err
    refused = err
    type = 'image/png'
  }
  id ??= generateId(s, account, got.data)
  let filename = got.filename || (s.on('unnamed-file-takes-id') ? id : 'file')
  if (s.on('filename-without-folders')) filename = filename.split(/[\\/]/).pop()
  const source = fromUrl && s.on('url-fetched-at-delivery') ? form.url : undefined
  const image = newImage(s, account, { ...given, id, filename, bytes: got.data, type, source })
  if (refused) throw refused
  meta.custom = image.custom
  return image
}

function pageNumber(s, query, name, usual, max) {
  const text = query.get(name)
  if (text === null) return usual
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1) {
    if (s.on('bad-page-values-ignored')) return usual
    if (name === 'page' && s.on('bad-page-500')) throw new Error('bad page')
    if (text === '0' && name === 'per_page' && s.on('per-page-zero-empty')) return 0
    throw new Fail(400, `${name} must be a whole number from 1`)
  }
  if (name === 'per_page' && Number(text) === 100 && s.on('per-page-100-refused'))
    throw new Fail(400, 'per_page is too large')
  if (Number(text) > max && !s.on('per-page-unbounded')) {
    if (s.on('per-page-clamped')) return max
    throw new Fail(400, `${name} is at most ${max}`)
  }
  return Number(text)
}

export function list(s, account, query, door) {
  if (s.on('unknown-query-refused'))
    for (const key of query.keys())
      if (key !== 'page' && key !== 'per_page') throw new Fail(400, `unknown parameter ${key}`)
  let page = pageNumber(s, query, 'page', 1, Infinity)
  let size = pageNumber(s, query, 'per_page', s.on('per-page-default-50') ? 50 : 100, 100)
  if (door === 'batch' && s.on('batch-per-page-ignored')) size = 100
  if (door === 'batch' && s.on('batch-page-ignored')) page = 1
  const owners = s.on('list-shows-all-accounts') ? s.accounts : [account]
  let all = owners.flatMap((owner) => [...owner.images.values()])
  if (!s.on('drafts-in-list')) all = all.filter((image) => !image.draft)
  if (s.on('completed-tickets-not-listed')) all = all.filter((image) => !image.fromTicket)
  if (s.on('private-images-not-listed')) all = all.filter((image) => !image.signed)
  if (door === 'batch') all = all.filter((image) => !image.hiddenOnBatch)
  if (door === 'batch' && s.on('batch-lists-own-uploads-only'))
    all = all.filter((image) => image.door === 'batch')
  if (s.on('list-newest-first')) all.reverse()
  if (s.on('list-by-id')) all.sort((a, b) => (a.id < b.id ? -1 : 1))
  const last = Math.max(1, Math.ceil(all.length / size))
  if (page > last && s.on('page-past-end-repeats-last')) page = last
  let from = (page - 1) * size
  if (s.on('page-counted-from-zero') && query.has('page')) from = page * size
  if (page > 1 && s.on('next-page-repeats-one')) from -= 1
  if (page > 1 && s.on('next-page-skips-one')) from += 1
  let part = all.slice(from, from + size)
  if (part.length < size && page > 1 && s.on('short-last-page-empty')) part = []
  const result = { images: part.map((image) => imageView(s, account, image, 'list', door)) }
  if (s.on('total-count-in-list')) result.total_count = all.length
  if (s.on('page-facts-in-list')) Object.assign(result, { page, per_page: size })
  return result
}

export function details(s, account, id) {
  let image = findImage(s, account, id)
  if (!image && s.on('deleted-details-still-there')) image = account.leftovers.get(id)
  if (
    !image ||
    (image.draft && image.ticket.expires <= Date.now() && s.on('expired-draft-is-gone'))
  )
    throw new Fail(404, 'no such image')
  if (image.draft && s.on('draft-details-404')) throw new Fail(404, 'no such image')
  if (image.draft && s.on('reading-draft-extends-ticket')) image.ticket.expires += 10000
  return imageView(s, account, image, 'details')
}

export function remove(s, account, id, meta) {
  const image = findImage(s, account, id)
  if (!image || (image.hiddenOnBatch && meta.door === 'batch')) {
    if (s.on('deleting-nothing-succeeds')) return {}
    if (account.leftovers.has(id) && s.on('second-delete-succeeds')) return {}
    if (meta.door === 'batch' && s.on('batch-deleting-nothing-succeeds')) return {}
    throw new Fail(404, 'no such image')
  }
  removeImage(s, account, image, meta.door)
  return s.on('delete-returns-id') ? { id: image.id } : {}
}
