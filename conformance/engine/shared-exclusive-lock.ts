/** Returns the lock; to be called once. */
type Release = () => void

/** A readers-writer lock. Whoever comes first goes first, unless those that share it go before all others. */
export class SharedExclusiveLock {
  private sharers = 0
  private isExclusive = false
  private readonly waiting: { readonly isShared: boolean; readonly take: () => void }[] = []
  private readonly sharersFirst: boolean

  /** `sharersFirst`: those that share it do not block each other, so that they need not wait behind one that wants it alone. */
  constructor({ sharersFirst = false } = {}) {
    this.sharersFirst = sharersFirst
  }

  /** Resolves when it is the caller's turn. */
  async acquire({ shared = false } = {}): Promise<Release> {
    await new Promise<void>((take) => {
      this.waiting.push({ isShared: shared, take })
      this.pass()
    })
    return () => {
      if (shared) this.sharers -= 1
      else this.isExclusive = false
      this.pass()
    }
  }

  /** Works while nobody has it alone. */
  together<T>(work: () => Promise<T>): Promise<T> {
    return this.during({ shared: true }, work)
  }

  /** Works while nobody else has it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.during({ shared: false }, work)
  }

  private async during<T>(how: { shared: boolean }, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(how)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Hands the lock to all that may have it now. */
  private pass(): void {
    while (this.waiting.length > 0 && !this.isExclusive) {
      const sharer = this.sharersFirst ? this.waiting.findIndex(({ isShared }) => isShared) : -1
      const at = Math.max(sharer, 0)
      const { isShared, take } = this.waiting[at]!
      if (!isShared && this.sharers > 0) return
      this.waiting.splice(at, 1)
      if (isShared) this.sharers += 1
      else this.isExclusive = true
      take()
    }
  }
}
