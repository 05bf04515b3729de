/** A picture, stored or still a draft. Kept small: URLs and texts of moments are made when somebody reads them. */
export interface Image {
  id: string
  /** Grows with time; the list is sorted by it. */
  seq: number
  filename: string
  uploaded: number
  requireSignedURLs: boolean
  metadata: Record<string, unknown> | undefined
  draft: boolean
  bytes: Uint8Array | undefined
  type: string
  /** False while a write has not settled yet: readers do not see the picture. */
  shown: boolean
  removed: boolean
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

/** A one-time permission to upload. `reserved` while somebody uses it, `spent` afterwards. */
export interface Ticket {
  token: string
  id: string
  expiresAt: number
  state: 'open' | 'reserved' | 'spent'
}

export type NewImage = Omit<Image, 'seq' | 'shown' | 'removed'>

/** All that the server remembers. Faults and tests may change anything in it. */
export class Store {
  /** Every picture that exists, drafts too, by id. */
  readonly images = new Map<string, Image>()
  /** The pictures that are listed, by seq. */
  readonly listed: Image[] = []
  /** Deleted pictures, kept only where they are still delivered. */
  readonly deleted = new Map<string, Image>()
  readonly tickets = new Map<string, Ticket>()
  /** Unused tickets by the id of their draft. */
  readonly drafts = new Map<string, Ticket>()
  readonly variants = new Map<string, Variant>()
  flexibleVariants = false
  settleMs: number
  private shownVariants: Map<string, Variant>
  private lastSeq = 0

  constructor(options: { settleMs?: number; variants?: readonly Variant[] } = {}) {
    this.settleMs = options.settleMs ?? 0
    for (const variant of options.variants ?? []) this.variants.set(variant.id, variant)
    this.shownVariants = this.settleMs === 0 ? this.variants : new Map(this.variants)
  }

  /** Adds a picture and lists it, unless told otherwise. One of the same id is replaced. */
  add(image: NewImage, options: { list?: boolean } = {}): Image {
    const old = this.images.get(image.id)
    if (old !== undefined) this.remove(old.id)
    const added: Image = {
      ...image,
      seq: ++this.lastSeq,
      shown: this.settleMs === 0,
      removed: false,
    }
    this.images.set(added.id, added)
    this.settle(() => {
      added.shown = true
      if (options.list !== false && !added.removed) this.list(added)
    })
    return added
  }

  /** The picture as writers see it. */
  get(id: string): Image | undefined {
    const image = this.images.get(id)
    return image === undefined || image.removed ? undefined : image
  }

  /** The picture as readers see it: for a while, what was before the last write. */
  read(id: string): Image | undefined {
    const image = this.images.get(id)
    return image?.shown === true ? image : undefined
  }

  /** Turns a draft into a stored picture, which counts as new in the list. */
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
      if (image.removed || this.position(image) !== undefined) return
      image.seq = ++this.lastSeq
      this.list(image)
    })
  }

  /** Removes a picture, also from the list; its open ticket goes too. */
  remove(id: string, options: { keepDelivering?: boolean } = {}): boolean {
    const image = this.get(id)
    if (image === undefined) return false
    image.removed = true
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

  /** Puts a picture into the list, at the place that its seq gives it. */
  list(image: Image): void {
    const last = this.listed.at(-1)
    if (last === undefined || last.seq < image.seq) this.listed.push(image)
    else if (this.position(image) === undefined)
      this.listed.splice(this.lowerBound(image.seq), 0, image)
  }

  /** Takes a picture out of the list only. */
  unlist(image: Image): void {
    const position = this.position(image)
    if (position !== undefined) this.listed.splice(position, 1)
  }

  /** A piece of the list. Costs the same wherever it is taken from. */
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

  /** Uses a ticket up for good. */
  spend(ticket: Ticket): void {
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

  /** The variants as readers see them. */
  readVariants(): ReadonlyMap<string, Variant> {
    return this.shownVariants
  }

  private variantsChanged(): void {
    // Readers share the writers' map, unless they have to keep what they saw for a while.
    if (this.settleMs === 0) return
    const written = new Map(this.variants)
    this.settle(() => {
      this.shownVariants = written
    })
  }

  private settle(apply: () => void): void {
    if (this.settleMs === 0) apply()
    else setTimeout(apply, this.settleMs).unref()
  }

  private position(image: Image): number | undefined {
    const at = this.lowerBound(image.seq)
    return this.listed[at] === image ? at : undefined
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
