/** A queue between who receives and who reads, one reader at a time. */
export class Unread<T> {
  private items: T[] = []
  private over = false
  private wake: (() => void) | undefined

  get length(): number {
    return this.items.length
  }

  put(item: T): void {
    this.items.push(item)
    this.wake?.()
  }

  /** Nothing more will come; what is there can still be read. */
  end(): void {
    this.over = true
    this.wake?.()
  }

  /** The next one; undefined once nothing more comes, and when `until` is kept before anything came. */
  async take(until?: Promise<unknown>): Promise<T | undefined> {
    if (this.items.length === 0 && !this.over) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve))
      await (until === undefined ? woken : Promise.race([woken, until]))
      this.wake = undefined
    }
    return this.items.shift()
  }

  clear(): void {
    this.items = []
  }
}
