// Keeps images, and looks after what time does to the state.
import { hour, minute, type Account, type Fields, type Image, type World } from './world.ts'

export interface NewImage {
  id: string | undefined
  filename: string
  signed: boolean | undefined
  metadata: Fields | undefined
  bytes: Buffer
  via: 'file' | 'url' | 'ticket'
  door: 'api' | 'batch'
}

export function makeImage(w: World, account: Account, made: NewImage): Image {
  let id = made.id
  if (id !== undefined && made.via !== 'ticket') {
    if (w.on('custom-id-lower-cased')) id = id.toLowerCase()
    if (w.on('custom-id-cut')) id = id.slice(0, 20)
    if (w.on('custom-id-prefixed')) id = `img-${id}`
  }
  return {
    id: id ?? w.newId(),
    filename: made.filename,
    uploadedAt: w.now(),
    signed: made.signed ?? false,
    signedSent: made.signed !== undefined,
    metadata: made.metadata,
    draft: made.via === 'ticket',
    bytes: alteredBytes(w, account, made.bytes),
    via: made.via,
    door: made.door,
    custom: made.id !== undefined,
    sequence: ++w.sequence,
    createdAt: w.now(),
    deletedAt: 0,
    variantsThen: account.variants.map((variant) => variant.id),
    reads: 0,
    refusals: 0,
    ticket: undefined,
    broken: false,
  }
}

export function alteredBytes(w: World, account: Account, sent: Buffer): Buffer {
  if (w.on('bytes-through-text')) return Buffer.from(sent.toString('utf8'))
  if (w.on('bytes-cut')) return sent.subarray(0, 4096)
  if (w.on('bytes-trimmed')) return sent.subarray(0, -2)
  if (w.on('bytes-of-previous')) {
    return account.images.filter((image) => !image.draft).at(-1)?.bytes ?? sent
  }
  return sent
}

// Stores the image, or what the switches make of that; tells the image to answer with.
export function storeImage(w: World, account: Account, image: Image): Image {
  if (w.on('same-bytes-same-image')) {
    const same = account.images.find((one) => one.bytes.equals(image.bytes) && !one.draft)
    if (same) return same
  }
  if (image.custom && w.on('custom-id-echo-only')) {
    account.images.push({ ...image, id: w.newId() })
    return image
  }
  if (image.via === 'url' && w.on('url-not-stored')) return image
  if (w.on('every-fourth-lost') && w.count('stored') % 4 === 0) return image
  if (image.custom && w.on('same-id-other-account')) {
    for (const other of w.accounts.filter((one) => one !== account)) {
      for (const same of other.images.filter((one) => one.id === image.id)) {
        same.bytes = image.bytes
        same.filename = image.filename
      }
    }
  }
  if (w.on('same-filename-replaces')) {
    account.images = account.images.filter((one) => one.filename !== image.filename || one.draft)
  }
  const other = account === w.first ? w.second : w.first
  const target = image.door === 'batch' && w.on('batch-upload-other-account') ? other : account
  target.images.push(image)
  if (w.on('images-capped') && target.images.length > 12) target.images.shift()
  return image
}

export function removeImage(w: World, account: Account, image: Image): void {
  account.images = account.images.filter((one) => one !== image)
  image.deletedAt = w.now()
  account.deletedImages.push(image)
}

export function restoreImages(account: Account, which: (image: Image) => boolean): void {
  account.images.push(...account.deletedImages.filter(which))
  account.images.sort((a, b) => a.sequence - b.sequence)
  account.deletedImages = account.deletedImages.filter((image) => !which(image))
}

export function tidy(w: World): void {
  const now = w.now()
  for (const account of w.accounts) {
    if (w.on('expired-drafts-purged')) {
      account.images = account.images.filter(
        (image) => !image.draft || !image.ticket || image.ticket.expiresAt > now,
      )
    }
    if (w.on('images-fade')) {
      account.images = account.images.filter((image) => image.uploadedAt + hour > now)
    }
    if (w.on('delete-undone')) {
      restoreImages(account, (image) => image.deletedAt + 10 * minute < now)
    }
    if (w.on('variants-forgotten')) {
      account.variants = account.variants.filter(
        (variant) => variant.builtIn || variant.createdAt + hour > now,
      )
    }
    if (w.on('variant-delete-undone')) {
      const back = account.deletedVariants.filter((one) => one.deletedAt + 10 * minute < now)
      account.variants.push(...back)
      account.deletedVariants = account.deletedVariants.filter((one) => !back.includes(one))
    }
  }
}
