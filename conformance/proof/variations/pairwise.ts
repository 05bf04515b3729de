import { nameOf, type AnyDeviation, type Exclusion, type Factor } from './variation.ts'

type AnyFactor = Pick<Factor<AnyDeviation>, 'factor'> & {
  readonly levels: readonly { readonly name: string }[]
}

/** For each factor, in order, the place of one of its levels. */
type Row = readonly number[]

/** Rows that are made for each one that is taken. */
const candidates = 40

/**
 * A small array of rows in which every two levels of different factors stand together, but for the excluded pairs. Greedy: of a few rows that
 * each begin with a pair still missing, the one that adds most pairs is taken. Always the same for the same factors.
 */
export function pairwise(factors: readonly AnyFactor[], exclusions: readonly Exclusion[]): Row[] {
  const missing = new Pairs(factors, exclusions)
  const random = generator(20)
  const rows: Row[] = []
  while (missing.size > 0) {
    let best: { row: number[]; gain: number } = { row: [], gain: 0 }
    for (let attempt = 0; attempt < candidates; attempt += 1) {
      const row = rowFrom(factors, missing, random)
      const gain = missing.gainOf(row)
      if (gain > best.gain) best = { row, gain }
    }
    if (best.gain === 0) throw new Error('the exclusions leave pairs that no row can have')
    missing.take(best.row)
    rows.push(best.row)
  }
  return rows
}

/** Fills a row level by level, the factors in a random order, each with the level that adds most to what stands already. */
function rowFrom(
  factors: readonly AnyFactor[],
  missing: Pairs,
  random: (below: number) => number,
): number[] {
  const row: number[] = factors.map(() => -1)
  const [f, a, g, b] = missing.one(random)
  row[f] = a
  row[g] = b
  const order = factors.map((_, at) => at).filter((at) => at !== f && at !== g)
  for (let left = order.length; left > 0; left -= 1) {
    const [at] = order.splice(random(left), 1) as [number]
    const { length } = factors[at]!.levels
    const first = random(length)
    let most = -1
    for (let step = 0; step < length; step += 1) {
      const level = (first + step) % length
      const gain = missing.gainWith(row, at, level)
      if (gain > most) [most, row[at]] = [gain, level]
    }
    if (most < 0) throw new Error(`no level of «${factors[at]!.factor}» goes with the others`)
  }
  return row
}

type Pair = readonly [number, number, number, number]

/** Which pairs of levels are still missing, and which must not be. */
class Pairs {
  /** Those that are missing, always in the same order. */
  private missing: Pair[]
  /** By factor and level on both sides: 1 for a missing pair, 2 for an excluded one. */
  private readonly state: Uint8Array
  private readonly offsets: number[] = []
  private readonly width: number
  private readonly counts: number[]

  constructor(factors: readonly AnyFactor[], exclusions: readonly Exclusion[]) {
    this.counts = factors.map(({ levels }) => levels.length)
    let width = 0
    for (const count of this.counts) {
      this.offsets.push(width)
      width += count
    }
    this.width = width
    this.state = new Uint8Array(width * width)
    for (const [f, a, g, b] of this.all()) this.set(f, a, g, b, 1)
    const names = factors.flatMap((factor) => factor.levels.map((level) => nameOf(factor, level)))
    for (const {
      levels: [one, other],
    } of exclusions) {
      const [i, j] = [names.indexOf(one), names.indexOf(other)]
      if (i < 0 || j < 0) throw new Error(`an exclusion names no level: ${i < 0 ? one : other}`)
      this.state[i * width + j] = this.state[j * width + i] = 2
    }
    this.missing = [...this.all()].filter((pair) => this.get(...pair) === 1)
  }

  get size(): number {
    return this.missing.length
  }

  /** A missing pair. */
  one(random: (below: number) => number): Pair {
    return this.missing[random(this.size)]!
  }

  /** How many missing pairs a level makes with those of an unfinished row; -1 where one of them is excluded. */
  gainWith(row: Row, f: number, a: number): number {
    // The hot path: a plain loop over a plain array.
    let gain = 0
    const from = (this.offsets[f]! + a) * this.width
    for (let g = 0; g < row.length; g += 1) {
      const b = row[g]!
      if (b < 0 || g === f) continue
      const state = this.state[from + this.offsets[g]! + b]!
      if (state === 2) return -1
      gain += state
    }
    return gain
  }

  gainOf(row: Row): number {
    return row.reduce((sum, level, at) => sum + this.gainWith(row, at, level), 0) / 2
  }

  take(row: Row): void {
    for (const [f, a] of row.entries()) {
      for (let g = f + 1; g < row.length; g += 1) {
        if (this.get(f, a, g, row[g]!) !== 1) continue
        this.set(f, a, g, row[g]!, 0)
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

/** Numbers that look random and are always the same. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
