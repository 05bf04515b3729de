import type { Delivery } from './delivery.ts'

/**
 * Keeps deliveries in the order of their arrival. Beyond a number of deliveries, or of bytes in
 * bodies, the oldest are dropped; the newest always stays.
 */
export class DeliveryBuffer {
  readonly items: Delivery[] = []
  /** How many were dropped. */
  dropped = 0
  private bytes = 0
  private readonly limits: { count: number; bytes: number }

  constructor(most: { count: number; bytes: number }) {
    this.limits = most
  }

  /** Adds a delivery; returns those that were dropped. */
  add(delivery: Delivery): Delivery[] {
    this.items.push(delivery)
    this.bytes += delivery.body.length
    const dropped: Delivery[] = []
    while (
      this.items.length > 1 &&
      (this.items.length > this.limits.count || this.bytes > this.limits.bytes)
    ) {
      const oldest = this.items.shift()!
      this.bytes -= oldest.body.length
      dropped.push(oldest)
    }
    this.dropped += dropped.length
    return dropped
  }
}
