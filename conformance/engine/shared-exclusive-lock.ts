/** Releases the lock. Call it once. */
type Release = () => void

/** A readers-writer lock. First come, first served, unless `sharersFirst` is set. */
export class SharedExclusiveLock {
  private sharers = 0
  private isExclusive = false
  private readonly waiting: { readonly isShared: boolean; readonly grant: () => void }[] = []
  private readonly sharersFirst: boolean

  /** `sharersFirst`: a request to share the lock overtakes requests to hold it exclusively. */
  constructor({ sharersFirst = false } = {}) {
    this.sharersFirst = sharersFirst
  }

  /** Resolves when the caller holds the lock. */
  async acquire({ shared = false } = {}): Promise<Release> {
    await new Promise<void>((grant) => {
      this.waiting.push({ isShared: shared, grant })
      this.grant()
    })
    return () => {
      if (shared) this.sharers -= 1
      else this.isExclusive = false
      this.grant()
    }
  }

  /** Runs `work` while the lock is shared. */
  runShared<T>(work: () => Promise<T>): Promise<T> {
    return this.runLocked({ shared: true }, work)
  }

  /** Runs `work` while the lock is held exclusively. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.runLocked({ shared: false }, work)
  }

  private async runLocked<T>(how: { shared: boolean }, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(how)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Grants the lock to every waiting caller that can hold it now. */
  private grant(): void {
    while (this.waiting.length > 0 && !this.isExclusive) {
      const sharer = this.sharersFirst ? this.waiting.findIndex(({ isShared }) => isShared) : -1
      const at = Math.max(sharer, 0)
      const { isShared, grant } = this.waiting[at]!
      if (!isShared && this.sharers > 0) return
      this.waiting.splice(at, 1)
      if (isShared) this.sharers += 1
      else this.isExclusive = true
      grant()
    }
  }
}
