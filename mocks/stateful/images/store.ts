/**
 * An image: either stored, or a draft, which has a ticket but no file yet. The record is small,
 * because URLs and formatted timestamps are computed when the image is read.
 */
export interface Image {
  id: string
  /** A number that increases with each image. The list is sorted by this number. */
  seq: number
  filename: string
  uploaded: number
  requireSignedURLs: boolean
  metadata: Record<string, unknown> | undefined
  draft: boolean
  bytes: Uint8Array | undefined
  type: string
  /** False until reads may return the image. The choice `settleMs` delays this. */
  isVisible: boolean
  isRemoved: boolean
}

export interface VariantOptions {
  fit: string
  width: number
  height: number
  metadata: string
}
export interface Variant {
  id: string
  options: VariantOptions
  neverRequireSignedURLs: boolean
}

/** A one-time permission to upload: `reserved` during an upload, `spent` afterwards. */
export interface Ticket {
  token: string
  id: string
  expiresAt: number
  state: 'open' | 'reserved' | 'spent'
}

export type NewImage = Omit<Image, 'seq' | 'isVisible' | 'isRemoved'>

/** The state of the server. Faults and tests may change anything in it. */
export class Store {
  /** All images by id, including drafts. */
  readonly images = new Map<string, Image>()
  /** The listed images, sorted by seq. */
  readonly listed: Image[] = []
  /** Deleted images that are still delivered. */
  readonly deleted = new Map<string, Image>()
  readonly tickets = new Map<string, Ticket>()
  /** Unused tickets by the id of their draft. */
  readonly drafts = new Map<string, Ticket>()
  readonly variants = new Map<string, Variant>()
  flexibleVariants = false
  settleMs: number
  private readableVariants: Map<string, Variant>
  private lastSeq = 0

  constructor(options: { settleMs?: number; variants?: readonly Variant[] } = {}) {
    this.settleMs = options.settleMs ?? 0
    for (const variant of options.variants ?? []) this.variants.set(variant.id, variant)
    this.readableVariants = this.settleMs === 0 ? this.variants : new Map(this.variants)
  }

  /** Adds an image, and lists it unless `list` is false. Replaces an image with the same id. */
  add(image: NewImage, options: { list?: boolean } = {}): Image {
    const old = this.images.get(image.id)
    if (old !== undefined) this.remove(old.id)
    const added: Image = {
      ...image,
      seq: ++this.lastSeq,
      isVisible: this.settleMs === 0,
      isRemoved: false,
    }
    this.images.set(added.id, added)
    this.settle(() => {
      added.isVisible = true
      if (options.list !== false && !added.isRemoved) this.list(added)
    })
    return added
  }

  /** The image as last written. `read` may still return an older state. */
  get(id: string): Image | undefined {
    const image = this.images.get(id)
    return image === undefined || image.isRemoved ? undefined : image
  }

  /**
   * The image as read requests return it. A write becomes visible only after `settleMs`: a new
   * image is undefined until then, and a removed image is still returned until then.
   */
  read(id: string): Image | undefined {
    const image = this.images.get(id)
    return image?.isVisible === true ? image : undefined
  }

  /**
   * Turns a draft into a stored image, and adds it to the list unless the draft is already listed.
   */
  complete(
    image: Image,
    file: { bytes: Uint8Array; type: string; filename: string },
    now: number,
  ): void {
    image.bytes = file.bytes
    image.type = file.type
    this.settle(() => {
      image.draft = false
      image.filename = file.filename
      image.uploaded = now
      if (image.isRemoved || this.position(image) !== undefined) return
      image.seq = ++this.lastSeq
      this.list(image)
    })
  }

  /** Removes an image, its list entry and its open ticket. */
  remove(id: string, options: { keepDelivering?: boolean } = {}): boolean {
    const image = this.get(id)
    if (image === undefined) return false
    image.isRemoved = true
    const ticket = this.drafts.get(id)
    if (ticket !== undefined) {
      this.drafts.delete(id)
      this.tickets.delete(ticket.token)
    }
    if (options.keepDelivering === true) this.deleted.set(id, image)
    this.settle(() => {
      this.unlist(image)
      if (this.images.get(id) === image) this.images.delete(id)
    })
    return true
  }

  /** Puts an image into the list, at the position of its seq. */
  list(image: Image): void {
    const last = this.listed.at(-1)
    if (last === undefined || last.seq < image.seq) this.listed.push(image)
    else if (this.position(image) === undefined)
      this.listed.splice(this.lowerBound(image.seq), 0, image)
  }

  /** Removes an image from the list, but does not delete it. */
  unlist(image: Image): void {
    const position = this.position(image)
    if (position !== undefined) this.listed.splice(position, 1)
  }

  /** Returns a slice of the list, equally fast at every offset. */
  page(offset: number, count: number, order: 'oldest' | 'newest' = 'oldest'): Image[] {
    if (order === 'oldest') return this.listed.slice(offset, offset + count)
    const end = this.listed.length - offset
    return end <= 0 ? [] : this.listed.slice(Math.max(0, end - count), end).reverse()
  }

  /** Opens a ticket for a draft that was added before. */
  openTicket(ticket: Ticket): void {
    this.tickets.set(ticket.token, ticket)
    this.drafts.set(ticket.id, ticket)
  }

  /** Marks a ticket as used. */
  markTicketUsed(ticket: Ticket): void {
    ticket.state = 'spent'
    this.drafts.delete(ticket.id)
  }

  putVariant(variant: Variant): void {
    this.variants.set(variant.id, variant)
    this.variantsChanged()
  }

  removeVariant(id: string): boolean {
    const removed = this.variants.delete(id)
    this.variantsChanged()
    return removed
  }

  /** The variants as read requests return them. */
  readVariants(): ReadonlyMap<string, Variant> {
    return this.readableVariants
  }

  private variantsChanged(): void {
    // If writes need no time to settle, reads use the same map as writes.
    if (this.settleMs === 0) return
    const written = new Map(this.variants)
    this.settle(() => {
      this.readableVariants = written
    })
  }

  private settle(apply: () => void): void {
    if (this.settleMs === 0) apply()
    else setTimeout(apply, this.settleMs).unref()
  }

  private position(image: Image): number | undefined {
    const index = this.lowerBound(image.seq)
    return this.listed[index] === image ? index : undefined
  }

  private lowerBound(seq: number): number {
    let low = 0
    let high = this.listed.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.listed[middle] as Image).seq < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
