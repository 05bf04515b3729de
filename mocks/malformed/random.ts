import { newRandom } from '../serving/random.ts'

/** Random values that are equal for equal seeds. */
export class SeededRandom {
  private readonly next: () => number

  constructor(seed: number) {
    this.next = newRandom(String(seed))
  }

  /** Returns an integer from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }
}
