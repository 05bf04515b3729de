/** Keeps the last `limit` items. */
export class Ring<T> {
  private readonly items: T[] = []
  private next = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  push(item: T): void {
    this.items[this.next] = item
    this.next = (this.next + 1) % this.limit
  }

  /** All items, the newest first. */
  newestFirst(): T[] {
    return [...this.items.slice(this.next), ...this.items.slice(0, this.next)].reverse()
  }
}
