import type { Clock } from '../../engine/index.ts'
import type { Delivery } from './delivery.ts'
import { defaultResponse, validateResponse, type DeliveryResponse } from './response.ts'
import { DeliveryBuffer } from './delivery-buffer.ts'

type Accepts = (delivery: Delivery) => boolean

interface Waiter {
  accepts: Accepts
  isConsuming: boolean
  settle(delivery: Delivery | undefined): void
  fail(error: unknown): void
}

/** Limits of a mailbox: number of deliveries, and bytes of their bodies. */
const limits = { count: 1000, bytes: 64 * 1024 * 1024 }
/** The longest delay that a Node timer accepts, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1

/**
 * A URL of a receiver, with the deliveries that arrived there. `Receiver.openMailbox` creates it.
 */
export class Mailbox {
  /** The URL for a sender. Its path and query contain characters that must arrive unchanged. */
  readonly url: string
  /** Path and query of `url`. `Delivery.url` is the same, unless a proxy rewrites paths. */
  readonly pathAndQuery: string
  private readonly clock: Clock
  private readonly buffer = new DeliveryBuffer(limits)
  private readonly unread = new Set<Delivery>()
  private readonly waiters = new Set<Waiter>()
  private current: DeliveryResponse = defaultResponse
  private isEnded = false

  constructor(url: string, clock: Clock, response: DeliveryResponse = defaultResponse) {
    this.url = url
    this.pathAndQuery = url.slice(new URL(url).origin.length)
    this.clock = clock
    this.response = response
  }

  /**
   * The response to later deliveries. Setting it throws a RangeError or TypeError if the status or
   * a header cannot be sent.
   */
  get response(): DeliveryResponse {
    return this.current
  }

  set response(response: DeliveryResponse) {
    this.current = validateResponse(response)
  }

  /**
   * The deliveries, in the order in which their bodies ended: the latest 1000, with at most 64 MiB
   * of bodies.
   */
  get deliveries(): readonly Delivery[] {
    return [...this.buffer.items]
  }

  /** How many deliveries were dropped. */
  get dropped(): number {
    return this.buffer.dropped
  }

  /**
   * Returns the earliest unread delivery for which `accepts` returns true, and marks it as read.
   * Incomplete deliveries also count. Returns undefined after `timeoutMs` milliseconds (never, if
   * Infinity), and when the receiver is closed.
   */
  next(timeoutMs: number, accepts: Accepts = () => true): Promise<Delivery | undefined> {
    return this.wait(timeoutMs, accepts, true)
  }

  /**
   * Returns the first delivery for which `accepts` returns true, read or not. Does not mark it as
   * read. Returns undefined in the same cases as `next`.
   */
  waitFor(accepts: Accepts, timeoutMs: number): Promise<Delivery | undefined> {
    return this.wait(timeoutMs, accepts, false)
  }

  /** Adds a delivery. Returns those that were dropped for it. Called by the receiver. */
  add(delivery: Delivery): readonly Delivery[] {
    const dropped = this.buffer.add(delivery)
    for (const gone of dropped) this.unread.delete(gone)
    let isTaken = false
    for (const waiter of [...this.waiters]) {
      if (isTaken && waiter.isConsuming) continue
      if (offerTo(waiter, delivery) && waiter.isConsuming) isTaken = true
    }
    if (!isTaken) this.unread.add(delivery)
    return dropped
  }

  /** Ends all waits, also later ones: the receiver is closed, or the run is cancelled. */
  end(): void {
    this.isEnded = true
    for (const waiter of [...this.waiters]) waiter.settle(undefined)
  }

  private async wait(
    timeoutMs: number,
    accepts: Accepts,
    isConsuming: boolean,
  ): Promise<Delivery | undefined> {
    for (const delivery of isConsuming ? this.unread : this.buffer.items) {
      if (!accepts(delivery)) continue
      if (isConsuming) this.unread.delete(delivery)
      return delivery
    }
    if (this.isEnded || timeoutMs <= 0) return undefined
    return new Promise((resolve, reject) => {
      const stop =
        timeoutMs > maxTimerMs
          ? () => {}
          : this.clock.after(timeoutMs, () => waiter.settle(undefined), 'a delivery')
      const leave = () => {
        stop()
        this.waiters.delete(waiter)
      }
      const waiter: Waiter = {
        accepts,
        isConsuming,
        settle: (delivery) => {
          leave()
          resolve(delivery)
        },
        fail: (error) => {
          leave()
          reject(error)
        },
      }
      this.waiters.add(waiter)
    })
  }
}

/**
 * Offers a delivery to a waiter. Returns whether the waiter accepted it. If its filter throws, only
 * this wait fails, not the receiver.
 */
function offerTo(waiter: Waiter, delivery: Delivery): boolean {
  try {
    if (!waiter.accepts(delivery)) return false
  } catch (error) {
    waiter.fail(error)
    return false
  }
  waiter.settle(delivery)
  return true
}
