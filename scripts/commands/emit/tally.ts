import type { DeliveryResult } from '../../../mocks/deliveries/send.ts'

export interface EmitTotals {
  deliveries: number
  acknowledged: number
  /** How often each status came, or in its place the reason why none did. */
  answers: Record<string, number>
  /** Milliseconds that answers took. */
  times: { median: number; p95: number; longest: number } | null
  /** Milliseconds that all of it took. */
  durationMs: number
}

/** Whether a receiver took a delivery: that is what a status of the 200s says. */
export function isAcknowledged({ status = 0, failure }: DeliveryResult): boolean {
  return failure === undefined && status >= 200 && status < 300
}

/** Counts what became of deliveries, in little memory however many they are. */
export class Tally {
  private readonly began = performance.now()
  private readonly answers = new Map<string, number>()
  private readonly times: Float32Array
  private count = 0
  private good = 0

  constructor(most: number) {
    this.times = new Float32Array(most)
  }

  get deliveries(): number {
    return this.count
  }

  get acknowledged(): number {
    return this.good
  }

  add(sent: DeliveryResult): void {
    const answer = answerOf(sent)
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
    this.times[this.count] = sent.durationMs
    this.count += 1
    if (isAcknowledged(sent)) this.good += 1
  }

  figures(): EmitTotals {
    const times = this.times.slice(0, this.count).sort()
    const at = (part: number) =>
      round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0)
    return {
      deliveries: this.count,
      acknowledged: this.good,
      answers: Object.fromEntries([...this.answers].sort()),
      times: times.length === 0 ? null : { median: at(0.5), p95: at(0.95), longest: at(1) },
      durationMs: Math.round(performance.now() - this.began),
    }
  }
}

/** A status, or in its place why there is none. */
export function answerOf({ status, failure }: DeliveryResult): string {
  return failure === undefined ? String(status) : failure.reason
}

export function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
