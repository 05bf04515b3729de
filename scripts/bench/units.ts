/** A stretch of time in which something waited for an answer, or for what another unit was making. */
interface Step {
  from: number
  to: number
  waitsFor?: string
}

/** A check, or something that checks share. */
export interface Unit {
  name: string
  steps: Step[]
  /** Units that had to end before this one began. */
  after: readonly string[]
}

/** Requests of which each had to wait for the one before. */
export interface Chain {
  requests: number
  name: string
}

/**
 * The longest chain up to the end of a single check, with what it waited for. Steps of one unit that do not overlap, although nothing held them back,
 * depend on each other. That checks wait for each other at the stages of a run adds nothing: the true chain may be longer, never shorter.
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
  const chains = [...units.keys()].map((name): Chain => ({ requests: within(name), name }))
  return (
    chains.toSorted((one, other) => other.requests - one.requests)[0] ?? {
      requests: 0,
      name: 'none',
    }
  )
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
