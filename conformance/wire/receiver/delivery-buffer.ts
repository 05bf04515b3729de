import type { Delivery } from './delivery.ts'

/** Keeps deliveries in the order of their arrival. Beyond so many, or so many bytes of bodies, the oldest go; the newest always stays. */
export class DeliveryBuffer {
  readonly items: Delivery[] = []
  /** How many have gone. */
  dropped = 0
  private bytes = 0
  private readonly limits: { count: number; bytes: number }

  constructor(most: { count: number; bytes: number }) {
    this.limits = most
  }

  /** Adds one; returns those that had to go for it. */
  add(delivery: Delivery): Delivery[] {
    this.items.push(delivery)
    this.bytes += delivery.body.length
    const gone: Delivery[] = []
    while (
      this.items.length > 1 &&
      (this.items.length > this.limits.count || this.bytes > this.limits.bytes)
    ) {
      const oldest = this.items.shift()!
      this.bytes -= oldest.body.length
      gone.push(oldest)
    }
    this.dropped += gone.length
    return gone
  }
}
