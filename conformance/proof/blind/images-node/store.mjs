// What the service remembers: accounts with their images, tickets and variants.
import { createHash, randomBytes, randomUUID } from 'node:crypto'

export function makeAccount(s, name) {
  const id = createHash('md5').update(name).digest('hex')
  const account = {
    id,
    hash: createHash('sha256').update(`hash of ${name}`).digest('base64url').slice(0, 22),
    images: new Map(),
    variants: new Map(),
    flexible: false,
    leftovers: new Map(), // what some faulty ways of deleting forget to delete
  }
  if (s.on('public-variant-at-start')) {
    account.variants.set('public', {
      id: 'public',
      options: { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' },
      never: false,
      born: 0,
    })
  }
  return account
}

export function generateId(s, account, bytes) {
  if (bytes && s.on('same-content-same-id')) return createHash('sha1').update(bytes).digest('hex')
  let id
  do {
    if (s.on('generated-id-hex')) id = randomBytes(16).toString('hex')
    else if (s.on('generated-id-short'))
      id = randomBytes(9).toString('base64url').replace(/^[-_]/, 'x')
    else id = randomUUID()
  } while (account.images.has(id))
  return id
}

/** Takes an id, or says why not. An expired draft does not hold its id. */
export function idIsFree(s, account, id) {
  const there = account.images.get(id)
  if (s.on('deleted-id-stays-taken') && account.leftovers.has(id)) return false
  if (!there) return true
  return there.draft && there.ticket.expires <= Date.now()
}

export function findImage(s, account, id) {
  const exact = account.images.get(id)
  if (exact) return exact
  if (s.on('image-id-any-case')) {
    for (const image of account.images.values())
      if (image.id.toLowerCase() === id.toLowerCase()) return image
  }
  if (s.on('image-id-prefix-found') && id.length >= 4) {
    for (const image of account.images.values()) if (image.id.startsWith(id)) return image
  }
  return undefined
}

export function removeImage(s, account, image, door) {
  account.leftovers.set(image.id, image)
  if (door === 'batch' && s.on('batch-delete-only-marks')) {
    image.hiddenOnBatch = true
    return
  }
  account.images.delete(image.id)
  if (image.draft) s.tickets.delete(image.ticket.key)
  if (s.on('delete-takes-prefix-too')) {
    for (const id of [...account.images.keys()])
      if (id.startsWith(image.id)) account.images.delete(id)
  }
  if (s.on('delete-reaches-other-account')) {
    for (const other of s.accounts) other.images.delete(image.id)
  }
}

/** The account whose variants an account has: its own. */
export const variantOwner = (s, account) =>
  s.on('variants-shared-by-accounts') ? s.accounts[0] : account

let births = 0
export const nextBirth = () => ++births

/** The draft that a ticket leaves in the account. */
export function newTicketImage(newImage, s, account, given) {
  return newImage(s, account, {
    ...given,
    draft: true,
    filename: '',
    bytes: Buffer.alloc(0),
    type: undefined,
    door: 'api',
    fromTicket: true,
  })
}
