import type { Received } from './received.ts'

/** Works deliveries off one after the other, when they have long been answered. */
export class WorkQueue {
  private waiting: { delivery: Received; workMs: number }[] = []
  private timer: NodeJS.Timeout | undefined

  get length(): number {
    return this.waiting.length
  }

  add(delivery: Received, workMs: number): void {
    this.waiting.push({ delivery, workMs })
    this.timer ??= this.soon()
  }

  close(): void {
    clearTimeout(this.timer)
    this.waiting = []
  }

  private soon(): NodeJS.Timeout {
    return setTimeout(() => this.next(), this.waiting[0]?.workMs ?? 0).unref()
  }

  private next(): void {
    // What takes no time is done together.
    do this.waiting.shift()!.delivery.processed_at = new Date().toISOString()
    while (this.waiting[0]?.workMs === 0)
    this.timer = this.waiting.length > 0 ? this.soon() : undefined
  }
}
