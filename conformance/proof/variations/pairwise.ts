import { factorValueName, type AnyDeviation, type Exclusion, type Factor } from './variation.ts'

type AnyFactor = Pick<Factor<AnyDeviation>, 'name'> & {
  readonly values: readonly { readonly name: string }[]
}

/** The index of one value of each factor. */
type Combination = readonly number[]

/** How many candidates are computed for each combination that is added. */
const candidatesPerStep = 40

/**
 * Finds a small number of combinations in which every pair of values of different factors occurs,
 * except the excluded pairs. The algorithm is greedy. It computes several combinations that each
 * start with a missing pair, and adds the one that covers the most missing pairs. The result is
 * deterministic.
 */
export function pairwiseCombinations(
  factors: readonly AnyFactor[],
  exclusions: readonly Exclusion[],
): Combination[] {
  const missing = new PairTable(factors, exclusions)
  const random = newRandom(20)
  const combinations: Combination[] = []
  while (missing.size > 0) {
    let best: { combination: Combination; gain: number } = { combination: [], gain: 0 }
    for (let attempt = 0; attempt < candidatesPerStep; attempt += 1) {
      const combination = fillCombination(factors, missing, random)
      const gain = missing.gainOf(combination)
      if (gain > best.gain) best = { combination, gain }
    }
    if (best.gain === 0)
      throw new Error('the exclusions leave pairs that no combination can contain')
    missing.cover(best.combination)
    combinations.push(best.combination)
  }
  return combinations
}

/**
 * Starts with a missing pair. Then adds the other factors in random order, each with the value that
 * covers the most missing pairs.
 */
function fillCombination(
  factors: readonly AnyFactor[],
  missing: PairTable,
  random: (below: number) => number,
): number[] {
  const combination: number[] = factors.map(() => -1)
  const [f, a, g, b] = missing.pick(random)
  combination[f] = a
  combination[g] = b
  const order = factors.map((_, at) => at).filter((at) => at !== f && at !== g)
  for (let left = order.length; left > 0; left -= 1) {
    const [at] = order.splice(random(left), 1) as [number]
    const { length } = factors[at]!.values
    const first = random(length)
    let most = -1
    for (let step = 0; step < length; step += 1) {
      const value = (first + step) % length
      const gain = missing.gainWith(combination, at, value)
      if (gain > most) [most, combination[at]] = [gain, value]
    }
    if (most < 0)
      throw new Error(`no value of "${factors[at]!.name}" can be combined with the others`)
  }
  return combination
}

/** The index of a factor and of one of its values, and those of a second factor and its value. */
type Pair = readonly [number, number, number, number]

/** Which pairs of values are still missing, and which are excluded. */
class PairTable {
  /** The missing pairs, always in the same order. */
  private missing: Pair[]
  /**
   * A square matrix with a line and a column for each value of each factor. It contains 1 for a
   * missing pair of values, 2 for an excluded pair, and otherwise 0.
   */
  private readonly state: Uint8Array
  private readonly offsets: number[] = []
  private readonly width: number
  private readonly counts: number[]

  constructor(factors: readonly AnyFactor[], exclusions: readonly Exclusion[]) {
    this.counts = factors.map(({ values }) => values.length)
    let width = 0
    for (const count of this.counts) {
      this.offsets.push(width)
      width += count
    }
    this.width = width
    this.state = new Uint8Array(width * width)
    for (const [f, a, g, b] of this.all()) this.set(f, a, g, b, 1)
    const names = factors.flatMap((factor) =>
      factor.values.map((value) => factorValueName(factor, value)),
    )
    for (const {
      values: [pick, other],
    } of exclusions) {
      const [i, j] = [names.indexOf(pick), names.indexOf(other)]
      if (i < 0 || j < 0)
        throw new Error(`an exclusion names an unknown value: ${i < 0 ? pick : other}`)
      this.state[i * width + j] = this.state[j * width + i] = 2
    }
    this.missing = [...this.all()].filter((pair) => this.get(...pair) === 1)
  }

  get size(): number {
    return this.missing.length
  }

  /** Picks a missing pair. */
  pick(random: (below: number) => number): Pair {
    return this.missing[random(this.size)]!
  }

  /**
   * How many missing pairs a value forms with the values of an unfinished combination. Returns -1
   * if one of its pairs is excluded.
   */
  gainWith(combination: Combination, f: number, a: number): number {
    // A plain loop over an array, because this code runs most often.
    let gain = 0
    const from = (this.offsets[f]! + a) * this.width
    for (let g = 0; g < combination.length; g += 1) {
      const b = combination[g]!
      if (b < 0 || g === f) continue
      const state = this.state[from + this.offsets[g]! + b]!
      if (state === 2) return -1
      gain += state
    }
    return gain
  }

  /** How many missing pairs a combination covers. */
  gainOf(combination: Combination): number {
    return combination.reduce((sum, value, f) => sum + this.gainWith(combination, f, value), 0) / 2
  }

  /** Removes the pairs of a combination from the missing pairs. */
  cover(combination: Combination): void {
    for (const [f, a] of combination.entries()) {
      for (let g = f + 1; g < combination.length; g += 1) {
        const b = combination[g]!
        if (this.get(f, a, g, b) === 1) this.set(f, a, g, b, 0)
      }
    }
    this.missing = this.missing.filter((pair) => this.get(...pair) === 1)
  }

  private *all(): Generator<Pair> {
    for (const [f, count] of this.counts.entries()) {
      for (let g = f + 1; g < this.counts.length; g += 1) {
        for (let a = 0; a < count; a += 1)
          for (let b = 0; b < this.counts[g]!; b += 1) yield [f, a, g, b]
      }
    }
  }

  private get(f: number, a: number, g: number, b: number): number {
    return this.state[(this.offsets[f]! + a) * this.width + this.offsets[g]! + b]!
  }

  private set(f: number, a: number, g: number, b: number, value: number): void {
    this.state[(this.offsets[f]! + a) * this.width + this.offsets[g]! + b] = value
    this.state[(this.offsets[g]! + b) * this.width + this.offsets[f]! + a] = value
  }
}

/** Makes a pseudorandom number generator (linear congruential). */
function newRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
