// Operations 3 to 5, and lists and deletes on the batch host.
import { ok, type Answer, type Call } from './call.ts'
import { findImage } from './checks.ts'
import { removeImage, restoreImages } from './store.ts'
import { imageView, stamp } from './views.ts'
import { bad, broken, minute, missing, type Account, type Image, type World } from './world.ts'

function integer(call: Call, name: string, usual: number): number {
  const { w, url } = call
  const text = url.searchParams.get(name)
  if (text === null) return usual
  if (!/^-?\d+$/.test(text)) {
    if (w.on('list-bad-page-500')) throw broken()
    if (w.on('bad-page-defaults')) return usual
    throw bad(`${name} has to be an integer`)
  }
  const value = Number(text)
  if (value >= 1) return value
  if (w.on('page-zero-is-one')) return 1
  if (value === 0 && name === 'page' && w.on('list-zero-based')) return 0
  throw bad(`${name} has to be 1 or more`)
}

function listed(call: Call): Image[] {
  const { w, account } = call
  const batch = call.op === 'batch-list'
  const now = w.now()
  let images = account.images
  if (w.on(batch ? 'batch-list-all-accounts' : 'list-all-accounts')) {
    images = w.accounts.flatMap((one) => one.images)
  }
  images = images.filter((image) => !image.draft || w.on('drafts-listed'))
  const without = (name: string, hidden: (image: Image) => boolean): void => {
    if (w.on(name)) images = images.filter((image) => !hidden(image))
  }
  without('list-omits-private', (image) => image.signed)
  without('list-omits-from-url', (image) => image.via === 'url')
  without('list-omits-direct', (image) => image.via === 'ticket')
  without('list-omits-custom-ids', (image) => image.custom)
  without('list-lag', (image) => image.uploadedAt + 500 > now)
  without('list-stale', (image) => image.uploadedAt + minute / 2 > now)
  if (!batch) without('batch-uploads-unlisted', (image) => image.door === 'batch')
  if (batch) without('batch-list-own-only', (image) => image.door !== 'batch')
  const gone = account.deletedImages.filter(
    (image) =>
      w.on('list-keeps-deleted') ||
      (w.on('delete-lag') && image.deletedAt + 500 > now) ||
      (w.on('list-keeps-deleted-until-upload') &&
        !account.images.some((one) => one.createdAt > image.deletedAt)),
  )
  images = [...images, ...gone]
  return ordered(w, images)
}

function ordered(w: World, images: Image[]): Image[] {
  if (w.on('list-shuffled')) {
    const turn = w.count('shuffle') * 7919
    const key = (image: Image): number => (image.sequence * turn * 31) % 101
    return images.sort((a, b) => key(a) - key(b))
  }
  if (w.on('ordered-by-id')) return images.sort((a, b) => (a.id < b.id ? -1 : 1))
  const sign = w.on('oldest-first') ? 1 : -1
  return images.sort((a, b) => sign * (a.sequence - b.sequence))
}

function pageOf(call: Call, images: Image[]): Image[] {
  const { w, url } = call
  const batch = call.op === 'batch-list'
  let page = integer(call, 'page', 1)
  let size = integer(
    call,
    'per_page',
    w.on('list-default-fifty')
      ? 50
      : w.on('list-default-ten')
        ? 10
        : w.on('list-default-all')
          ? 1_000_000
          : 100,
  )
  const given = url.searchParams.has('per_page')
  const free = w.on('list-max-ignored') || (batch && w.on('batch-list-bad-page-accepted'))
  if (given && size === 100 && w.on('list-hundred-refused')) throw bad('per_page is too large')
  if (given && size > 100 && !free) {
    if (!w.on('per-page-clamped')) throw bad('per_page may be 100 at most')
    size = 100
  }
  if (w.on('list-max-fifty')) size = Math.min(size, 50)
  if (w.on('list-page-ignored') || (batch && w.on('batch-list-page-ignored'))) page = 1
  if (w.on('list-per-page-ignored') || (batch && w.on('batch-list-per-page-ignored'))) size = 100
  if (given && !url.searchParams.has('page') && w.on('list-default-page-two')) page = 2
  if (w.on('list-zero-based')) page += 1
  let start = (page - 1) * size
  let end = start + size
  if (w.on('list-per-page-more')) end += 1
  if (page > 1 && w.on('list-pages-overlap')) start -= 1
  if (page > 1 && w.on('list-pages-skip')) [start, end] = [start + page - 1, end + page - 1]
  const found = images.slice(start, end)
  return page > 1 && found.length < size && w.on('list-last-page-lost') ? [] : found
}

function ownerOf(w: World, account: Account, image: Image): Account {
  return w.accounts.find((one) => one.images.includes(image)) ?? account
}

export function list(call: Call): Answer {
  const { w, account, url } = call
  const batch = call.op === 'batch-list'
  if (w.on('unknown-query-refused')) {
    for (const key of url.searchParams.keys()) {
      if (key !== 'page' && key !== 'per_page') throw bad(`Unknown parameter ${key}`)
    }
  }
  const images = listed(call)
  const page = pageOf(call, images)
  const views = page.map((image) =>
    imageView(w, ownerOf(w, account, image), image, batch ? 'batch-list' : 'list'),
  )
  if (!batch && w.on('list-array')) return ok(views)
  if (batch && w.on('batch-list-array')) return ok(views)
  const result: Record<string, unknown> = { images: views }
  if (w.on('list-map')) {
    result['images'] = Object.fromEntries(page.map((image, index) => [image.id, views[index]]))
  }
  if (views.length === 0 && w.on('list-null-when-empty')) result['images'] = null
  if (w.on('list-totals')) {
    result['total_count'] = images.length
    result['continuation_token'] = null
  }
  const info = { count: views.length, total_count: images.length }
  return { status: 200, result, extra: w.on('list-result-info') ? { result_info: info } : {} }
}

const elsewhere = (w: World, account: Account): Image[] =>
  w.accounts.filter((one) => one !== account).flatMap((one) => one.images)

export function read(call: Call): Answer {
  const { w, account } = call
  const id = w.on('escapes-not-decoded') ? call.rawId.replace(/%2F/gi, '/') : call.id
  let image = findImage(account, id)
  if (image && w.on('read-wrong-image')) image = account.images.at(-1)
  if (!image && id && w.on('read-prefix')) {
    image = account.images.find((one) => one.id.startsWith(id))
  }
  if (!image && w.on('read-other-account')) {
    image = elsewhere(w, account).find((one) => one.id === id)
  }
  if (!image && w.on('read-after-delete')) {
    image = account.deletedImages.find((one) => one.id === id)
  }
  if (image?.draft && w.on('draft-not-found')) image = undefined
  if (!image) throw missing('Image')
  return ok(imageView(w, account, image, 'read'))
}

export function remove(call: Call): Answer {
  const { w, account, id } = call
  const batch = call.op === 'batch-delete'
  const image = findImage(account, id)
  const result = w.on('delete-result-id') ? { id, deleted: stamp(w, w.now()) } : {}
  if (!image) {
    const other = elsewhere(w, account).find((one) => one.id === id)
    if (other && w.on(batch ? 'batch-delete-other-account' : 'delete-other-account')) {
      removeImage(w, ownerOf(w, account, other), other)
      return ok(result)
    }
    throw missing('Image')
  }
  if (batch && image.door !== 'batch' && w.on('batch-delete-own-only')) throw missing('Image')
  if (batch && w.on('batch-delete-noop')) return ok(result)
  if (!batch) {
    if (w.on('delete-noop')) return ok(result)
    if (image.via === 'url' && w.on('delete-url-noop')) return ok(result)
    if (image.signed && w.on('delete-private-noop')) return ok(result)
  }
  if (w.on('delete-only-delivery')) {
    image.broken = true
    return ok(result)
  }
  const { images } = account
  const extra = [
    ...(w.on('delete-neighbour') ? images.slice(images.indexOf(image) + 1).slice(0, 1) : []),
    ...(w.on('delete-by-prefix') ? images.filter((one) => one.id.startsWith(image.id)) : []),
    ...(w.on('delete-by-filename')
      ? images.filter((one) => one.filename === image.filename && !one.draft)
      : []),
  ]
  for (const one of extra) if (one !== image) removeImage(w, account, one)
  if (w.on('same-bytes-deleted-together')) {
    for (const one of images) if (one.bytes.equals(image.bytes)) one.broken = true
  }
  removeImage(w, account, image)
  if (image.ticket?.usedAt && w.on('ticket-survives-delete')) {
    restoreImages(account, (one) => one === image)
    image.draft = true
  }
  return ok(result)
}
