import { createHash, randomInt } from 'node:crypto'

/** Random values that are equal for equal seeds. Not for secrets. */
export class Random {
  private readonly seed: string
  private count = 0

  constructor(seed: string) {
    this.seed = seed
  }

  /** Returns an integer from `min` to below `max`. The range must be smaller than 2^32. */
  int(min: number, max: number): number {
    // 48 bits, so that the remainder has no noticeable bias.
    return min + (this.bytes().readUIntBE(0, 6) % (max - min))
  }

  /** Returns a string of lowercase letters. `length` must not exceed 32. */
  letters(length: number): string {
    return [...this.bytes().subarray(0, length)]
      .map((byte) => String.fromCharCode(97 + (byte % 26)))
      .join('')
  }

  /** The next 32 bytes. */
  private bytes(): Buffer {
    this.count += 1
    return createHash('sha256').update(`${this.seed} ${this.count}`).digest()
  }
}

/** A seed for a run: an integer from 1 to below 2^31. */
export const newSeed = (): number => randomInt(1, 2 ** 31)
