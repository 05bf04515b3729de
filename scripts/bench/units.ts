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
 * A sequence of requests, each of which had to wait for the previous one: the number of requests,
 * and the name of the check whose last request ends the sequence.
 */
export interface Chain {
  requests: number
  name: string
}

/**
 * Returns the longest chain of a single check, including the requests of the units for which the
 * check waited. The run must not limit concurrency: then steps of a unit that do not overlap depend
 * on each other. The waits between the stages of a run are ignored, so the true chain may be
 * longer, but never shorter.
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
 * Returns the largest weight of a series of steps that do not overlap. The weight of a request is
 * 1. The weight of a wait for a unit is the length of the chain of that unit.
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
