/** A small seeded generator, so that a run can be repeated. */
export class Random {
  private state: number

  constructor(seed: string) {
    let h = 2166136261
    for (const c of seed) h = Math.imul(h ^ c.codePointAt(0)!, 16777619)
    this.state = h >>> 0
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(p: number): boolean {
    return this.next() < p
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!
  }

  some<T>(list: readonly T[], low: number, high: number): T[] {
    const rest = [...list]
    const out: T[] = []
    const n = Math.min(this.int(low, high), rest.length)
    while (out.length < n) out.push(...rest.splice(this.int(0, rest.length - 1), 1))
    return out
  }

  hex(n: number): string {
    let s = ''
    while (s.length < n) s += Math.floor(this.next() * 16).toString(16)
    return s
  }
}
