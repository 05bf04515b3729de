/** A stretch of time in which something waited for an answer, or for what another unit was making. */
export interface Step { from: number; to: number; waitsFor?: string }

/** A check, something that checks share, or the cleaning up. */
export interface Unit {
  name: string
  steps: Step[]
  /** Units that had to end before this one began. */
  after: readonly string[]
  /** Begins when all others have ended. */
  alone?: boolean
}

/** The unit that comes after all others. */
export const cleaningUp = 'cleaning up'

/**
 * The longest chain of a run: that of the checks that run together, then those that run alone, one after the other, then the cleaning up.
 * Steps of one unit that do not overlap, although nothing held them back, depend on each other.
 * What is kept apart only because two checks want the same thing is not counted: the true chain may be longer, never shorter.
 */
export function chainOf(units: ReadonlyMap<string, Unit>): { requests: number; says: string } {
  const known = new Map<string, number>()
  const within = (name: string): number => {
    const unit = units.get(name)
    if (unit === undefined) return 0
    if (!known.has(name)) {
      known.set(name, 0)
      known.set(name, Math.max(0, ...unit.after.map(within)) + sequence(unit.steps, within))
    }
    return known.get(name)!
  }
  const checks = [...units.values()].filter(({ name }) => name !== cleaningUp).map((unit) => ({ ...unit, length: within(unit.name) }))
  const alone = checks.filter((unit) => unit.alone === true)
  const others = checks.filter((unit) => unit.alone !== true)
  const longest = others.toSorted((one, other) => other.length - one.length)[0] ?? { name: 'none', length: 0 }
  const last = within(cleaningUp)
  return {
    requests: alone.reduce((sum, { length }) => sum + length, longest.length + last),
    says: [...alone, longest].map(({ name, length }) => `${length} in «${name}»`).concat(`${last} to clean up`).join(', '),
  }
}

/** The heaviest series of steps of which each begins after the one before has ended. */
function sequence(steps: readonly Step[], weightOf: (name: string) => number): number {
  const byEnd = steps.toSorted((one, other) => one.to - other.to)
  const best: number[] = []
  for (const [index, { from, waitsFor }] of byEnd.entries()) {
    let before = index - 1
    while (before >= 0 && byEnd[before]!.to > from) before -= 1
    const weight = waitsFor === undefined ? 1 : weightOf(waitsFor)
    best.push(Math.max(best[index - 1] ?? 0, weight + (best[before] ?? 0)))
  }
  return best.at(-1) ?? 0
}
