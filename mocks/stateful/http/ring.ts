/** Keeps the last `limit` items. */
export class Ring<T> {
  private readonly kept: T[] = []
  private next = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  push(item: T): void {
    this.kept[this.next] = item
    this.next = (this.next + 1) % this.limit
  }

  /** The newest first. */
  newest(): T[] {
    return [...this.kept.slice(this.next), ...this.kept.slice(0, this.next)].reverse()
  }
}
