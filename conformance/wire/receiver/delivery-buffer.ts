import type { Delivery } from './delivery.ts'

/**
 * Keeps deliveries in the order of their arrival. Drops the oldest if there are more than `count`,
 * or more than `bytes` bytes in their bodies. Always keeps the newest.
 */
export class DeliveryBuffer {
  readonly items: Delivery[] = []
  /** How many deliveries were dropped. */
  dropped = 0
  private bytes = 0
  private readonly limits: { count: number; bytes: number }

  constructor(limits: { count: number; bytes: number }) {
    this.limits = limits
  }

  /** Adds a delivery. Returns the deliveries that were dropped for it. */
  add(delivery: Delivery): Delivery[] {
    this.items.push(delivery)
    this.bytes += delivery.keptSize
    const dropped: Delivery[] = []
    while (
      this.items.length > 1 &&
      (this.items.length > this.limits.count || this.bytes > this.limits.bytes)
    ) {
      const oldest = this.items.shift()!
      this.bytes -= oldest.keptSize
      dropped.push(oldest)
    }
    this.dropped += dropped.length
    return dropped
  }
}
