import type { Received } from './received.ts'

/** Processes deliveries one after the other, after their responses. */
export class WorkQueue {
  private waiting: { delivery: Received; workMs: number }[] = []
  private timer: NodeJS.Timeout | undefined

  get length(): number {
    return this.waiting.length
  }

  add(delivery: Received, workMs: number): void {
    this.waiting.push({ delivery, workMs })
    this.timer ??= this.schedule()
  }

  close(): void {
    clearTimeout(this.timer)
    this.waiting = []
  }

  private schedule(): NodeJS.Timeout {
    return setTimeout(() => this.processNext(), this.waiting[0]?.workMs ?? 0).unref()
  }

  private processNext(): void {
    // If the next deliveries take no time, they are processed at once.
    do this.waiting.shift()!.delivery.processed_at = new Date().toISOString()
    while (this.waiting[0]?.workMs === 0)
    this.timer = this.waiting.length > 0 ? this.schedule() : undefined
  }
}
