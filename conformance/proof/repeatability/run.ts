import { loadSubject, subjects } from '../../checks/index.ts'
import { Random } from '../../engine/index.ts'
import { startSuite, type Selection } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { outcomesOf, type Outcomes } from './outcomes.ts'

/**
 * Tests a target once, in this process. Starts the checks in an order that the seed determines.
 * `seed` is also the seed of the random values that the suite sends.
 */
export async function runOnce(
  target: Target,
  selection: Selection,
  { seed, concurrency }: { seed: number; concurrency: number },
): Promise<Outcomes> {
  const random = new Random(String(seed))
  // All runs of this process share the subjects, so their order is restored afterwards.
  const loaded = await Promise.all(subjects.map(loadSubject))
  const ordered = loaded.map(({ checks }) => checks)
  for (const subject of loaded) Object.assign(subject, { checks: shuffle(subject.checks, random) })
  try {
    return await runSuite(target, selection, { seed, concurrency })
  } finally {
    loaded.forEach((subject, index) => Object.assign(subject, { checks: ordered[index] }))
  }
}

async function runSuite(
  target: Target,
  selection: Selection,
  { seed, concurrency }: { seed: number; concurrency: number },
): Promise<Outcomes> {
  const run = await startSuite(
    { ...target, suite: { ...target.suite, seed, concurrency } },
    { selection },
  )
  const outcomes = outcomesOf(await run.verdicts)
  await run.finish()
  return outcomes
}

/** Returns the elements in a random order. */
const shuffle = <T>(elements: readonly T[], random: Random): T[] =>
  elements
    .map((element) => ({ element, place: random.int(0, 2 ** 31) }))
    .sort((one, other) => one.place - other.place)
    .map(({ element }) => element)
