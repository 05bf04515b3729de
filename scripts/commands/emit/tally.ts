import type { DeliveryResult } from '../../../mocks/deliveries/send.ts'

export interface EmitTotals {
  deliveries: number
  acknowledged: number
  /**
   * How often each status was received. If there was no response, the reason is counted instead.
   */
  responses: Record<string, number>
  /** Response times in milliseconds. */
  times: { median: number; p95: number; longest: number } | null
  /** The duration of the whole run. */
  durationMs: number
}

/** Whether a receiver acknowledged a delivery with a status from 200 to 299. */
export function isAcknowledged({
  status = 0,
  failure,
}: Pick<DeliveryResult, 'status' | 'failure'>): boolean {
  return failure === undefined && status >= 200 && status < 300
}

/** Whether a receiver refused a delivery, as it must if the token is wrong. */
export function isRefused({
  status = 0,
  failure,
}: Pick<DeliveryResult, 'status' | 'failure'>): boolean {
  return failure === undefined && status >= 400 && status < 500
}

/** Counts the results of deliveries, with four bytes of memory for each. */
export class Tally {
  private readonly began = performance.now()
  private readonly responses = new Map<string, number>()
  private readonly times: Float32Array
  private count = 0
  private good = 0
  private refused = 0

  constructor(capacity: number) {
    this.times = new Float32Array(capacity)
  }

  get deliveries(): number {
    return this.count
  }

  get acknowledged(): number {
    return this.good
  }

  /** The deliveries with the expected result, which is a refusal if the token is wrong. */
  asExpected(hasWrongToken: boolean): number {
    return hasWrongToken ? this.refused : this.good
  }

  add(sent: DeliveryResult): void {
    const response = statusOrReason(sent)
    this.responses.set(response, (this.responses.get(response) ?? 0) + 1)
    this.times[this.count] = sent.durationMs
    this.count += 1
    if (isAcknowledged(sent)) this.good += 1
    if (isRefused(sent)) this.refused += 1
  }

  figures(): EmitTotals {
    const times = this.times.slice(0, this.count).sort()
    const at = (part: number) =>
      round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0)
    return {
      deliveries: this.count,
      acknowledged: this.good,
      responses: Object.fromEntries([...this.responses].sort()),
      times: times.length === 0 ? null : { median: at(0.5), p95: at(0.95), longest: at(1) },
      durationMs: Math.round(performance.now() - this.began),
    }
  }
}

/** Returns the status of the response, or the reason why there was no response. */
export function statusOrReason({ status, failure }: DeliveryResult): string {
  return failure === undefined ? String(status) : failure.reason
}

export function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
