/**
 * Records which checks, shared values and locks of a run wait for each other, by name. A broken
 * target can cause a circle. Example: a check waits for a shared value. The code that computes the
 * value receives an unexpected response, and waits for the verdict of that same check.
 */
export class Waits {
  /** For each name, the names that it waits for, with the number of waits. */
  private readonly waitsFor = new Map<string, Map<string, number>>()
  /** The waits that must end early if they become part of a circle. */
  private readonly breakable = new Set<{ from: string; to: readonly string[]; end: () => void }>()
  private readonly onWait: () => void

  /** `onWait` is called after each wait has been recorded. */
  constructor(onWait: () => void = () => {}) {
    this.onWait = onWait
  }

  /** Runs work. Until the work has ended, records that `from` waits for each name in `to`. */
  async during<T>(from: string, to: readonly string[], work: () => Promise<T>): Promise<T> {
    this.add(from, to, 1)
    this.breakCircles()
    this.onWait()
    try {
      return await work()
    } finally {
      this.add(from, to, -1)
    }
  }

  /**
   * Like `during`, but resolves to undefined as soon as `from` waits for itself, directly or
   * through others. The work is not cancelled.
   */
  async unlessCircular<T>(
    from: string,
    to: readonly string[],
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    let end!: () => void
    const circular = new Promise<undefined>((resolve) => (end = () => resolve(undefined)))
    const wait = { from, to, end }
    this.breakable.add(wait)
    try {
      return await this.during(from, to, () => Promise.race([circular, work()]))
    } finally {
      this.breakable.delete(wait)
    }
  }

  private add(from: string, to: readonly string[], change: 1 | -1): void {
    const own = this.waitsFor.get(from) ?? new Map<string, number>()
    this.waitsFor.set(from, own)
    for (const name of to) {
      const count = (own.get(name) ?? 0) + change
      if (count > 0) own.set(name, count)
      else own.delete(name)
    }
  }

  private breakCircles(): void {
    for (const { from, to, end } of this.breakable) if (this.reaches(to, [from])) end()
  }

  /**
   * Whether one of `names` is in `wanted`, or waits for a name in `wanted`, directly or through
   * others.
   */
  reaches(names: readonly string[], wanted: readonly string[]): boolean {
    const seen = new Set<string>()
    const pending = [...names]
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (wanted.includes(name)) return true
      if (seen.has(name)) continue
      seen.add(name)
      pending.push(...(this.waitsFor.get(name)?.keys() ?? []))
    }
    return false
  }
}
