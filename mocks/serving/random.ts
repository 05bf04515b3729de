import { createHash } from 'node:crypto'

/** Returns a function that returns numbers from 0 to below 1, which are equal for equal seeds. */
export function newRandom(seed: string): () => number {
  let count = 0
  return () => {
    count += 1
    const digest = createHash('sha256').update(`${seed} ${count}`).digest()
    return digest.readUIntBE(0, 6) / 2 ** 48
  }
}
