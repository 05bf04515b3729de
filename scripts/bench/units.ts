/** A period in which a unit waited for a response or for another unit. */
interface Step {
  from: number
  to: number
  waitsFor?: string
}

/** A check, or state that checks share. */
export interface Unit {
  name: string
  steps: Step[]
  /** Units that had to end before this one began. */
  after: readonly string[]
}

/**
 * A sequence of requests, each of which had to wait for the previous one. `requests` is their
 * number. `name` is the check that sent the last one.
 */
export interface Chain {
  requests: number
  name: string
}

/**
 * Returns the longest chain of a single check, including the requests of the units for which the
 * check waited. The run must have no limit on concurrency, so that steps of a unit that do not
 * overlap depend on each other. Ignores the waits between the stages of a run, so the true chain
 * may be longer, but never shorter.
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

/**
 * Returns the largest total weight of steps that do not overlap. A request has the weight 1. A wait
 * for a unit has the length of that unit's chain as its weight.
 */
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
