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

/** Numbers of requests of which each had to wait for the one before. */
export interface Chain {
  /** From the first request of the run to the last one. */
  whole: number
  /** Up to the end of a single check, with what it waited for. */
  single: number
  /** Where they are. */
  says: string
}

/**
 * The longest chain of a run: that of the checks that run together, then those that run alone, one after the other, then the
 * cleaning up. Steps of one unit that do not overlap, although nothing held them back, depend on each other.
 * Checks that are kept apart only because both want the same thing add nothing: the true chain may be longer, never shorter.
 */
export function chainOf(units: ReadonlyMap<string, Unit>): Chain {
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
  const checks = [...units.values()].filter(({ name }) => name !== cleaningUp)
  const longest = (some: readonly Unit[]) => some.toSorted((one, other) => within(other.name) - within(one.name))[0]?.name ?? 'none'
  const together = longest(checks.filter(({ alone }) => alone !== true))
  // When a check is alone, what it builds on is long there: only what it sends itself comes on top.
  const alone = checks.filter((unit) => unit.alone === true).reduce((sum, { steps }) => sum + sequence(steps.filter(({ waitsFor }) => waitsFor === undefined), within), 0)
  const last = within(cleaningUp)
  const single = longest(checks)
  return {
    whole: within(together) + alone + last,
    single: within(single),
    says: `${within(together)} to the end of «${together}», ${alone} in checks that run alone, ${last} to clean up; the longest of a single check: ${within(single)}, «${single}»`,
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
