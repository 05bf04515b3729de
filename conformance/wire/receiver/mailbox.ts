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

/** What a mailbox keeps at most. */
const limits = { count: 1000, bytes: 64 * 1024 * 1024 }
/** Timers of the platform count no further than this. */
const maxTimerMs = 2 ** 31 - 1

/** An address of its own at a receiver, and what has come in there. `Receiver.open` makes them. */
export class Mailbox {
  /** The address to give to a sender. It has a path and a query with much in it that has to arrive as it is. */
  readonly url: string
  /** Path and query of `url`: what a delivery's own `url` is, where nobody in between rewrites paths. */
  readonly target: string
  private readonly clock: Clock
  private readonly buffer = new DeliveryBuffer(limits)
  private readonly unread = new Set<Delivery>()
  private readonly waiters = new Set<Waiter>()
  private current: DeliveryResponse = defaultResponse
  private isEnded = false

  constructor(url: string, clock: Clock, response: DeliveryResponse = defaultResponse) {
    this.url = url
    this.target = url.slice(new URL(url).origin.length)
    this.clock = clock
    this.response = response
  }

  /** What deliveries get back from now on. Throws a RangeError or TypeError for a status or a header that cannot be sent. */
  get response(): DeliveryResponse {
    return this.current
  }

  set response(answer: DeliveryResponse) {
    this.current = validateResponse(answer)
  }

  /** All that has come in, in the order in which it was complete, or broke off. Of a flood the latest 1000 are kept, and 64 MiB of bodies. */
  get deliveries(): readonly Delivery[] {
    return [...this.buffer.items]
  }

  /** How many deliveries of a flood were not kept. */
  get dropped(): number {
    return this.buffer.dropped
  }

  /**
   * The next delivery that nobody has taken and that is accepted, earlier arrivals first; it counts as taken. Those that broke off are deliveries too.
   * Undefined after so many milliseconds (Infinity waits on), and when the receiver closes.
   */
  next(timeoutMs: number, accepts: Accepts = () => true): Promise<Delivery | undefined> {
    return this.wait(timeoutMs, accepts, true)
  }

  /** The first delivery that is accepted, taken or not, of those that came and those that will; nobody loses it. Undefined as with `next`. */
  waitFor(accepts: Accepts, timeoutMs: number): Promise<Delivery | undefined> {
    return this.wait(timeoutMs, accepts, false)
  }

  /** For the receiver: a delivery has come. */
  add(delivery: Delivery): void {
    for (const gone of this.buffer.add(delivery)) this.unread.delete(gone)
    let taken = false
    for (const waiter of [...this.waiters]) {
      if (taken && waiter.isConsuming) continue
      if (offerTo(waiter, delivery) && waiter.isConsuming) taken = true
    }
    if (!taken) this.unread.add(delivery)
  }

  /** For the receiver: nothing will come any more. */
  end(): void {
    this.isEnded = true
    for (const waiter of [...this.waiters]) waiter.settle(undefined)
  }

  private async wait(
    timeoutMs: number,
    accepts: Accepts,
    takes: boolean,
  ): Promise<Delivery | undefined> {
    for (const delivery of takes ? this.unread : this.buffer.items) {
      if (!accepts(delivery)) continue
      if (takes) this.unread.delete(delivery)
      return delivery
    }
    if (this.isEnded || timeoutMs <= 0) return undefined
    return new Promise((resolve, reject) => {
      const stop =
        timeoutMs > maxTimerMs
          ? () => {}
          : this.clock.after(timeoutMs, () => waiter.settle(undefined))
      const leave = () => {
        stop()
        this.waiters.delete(waiter)
      }
      const waiter: Waiter = {
        accepts,
        isConsuming: takes,
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

/** Whether a waiter accepts a delivery and has it now. What its question throws is its own, not the receiver's. */
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
