import { families, familyOf } from './families.ts'
import { nullsOf, type Family } from './family.ts'
import { proofOf, type Proof } from './figures.ts'
import type { Job, Reference, JobResult } from './jobs.ts'
import { lowered, matrixOf, type KillMatrix } from './matrix.ts'
import { judgesOf } from './narrow.ts'
import { startWorkers, workAll } from './pool.ts'
import { configurationsOf } from './variations/configurations.ts'

/** How many of the checks that read a mutated message act against its mutant: the watching checks see the message whichever check caused it. */
const readersEach = 5

/** The quick proof tries one of so many parts of the mutants. */
export const parts = 10

export interface ProveOptions {
  workers: number
  /** Names of families, to prove these whole; all where there is none. */
  within?: readonly string[]
  /** Beginnings of names, to prove a part only. */
  only?: readonly string[]
  /**
   * The quick proof: a broken server is judged by the checks of the topics that it violates, and again by all checks where these find less than the golden
   * matrix says; of the mutants one part (0 to `parts` - 1) is tried.
   */
  quick?: { part: number; golden: KillMatrix }
  progress?: (done: number, total: number) => void
}

/** Judges the judge: the references first, since they tell who reads which message, then all faults, mutants, variations and null targets. */
export async function prove({
  workers: count,
  within = [],
  only = [],
  quick,
  progress = () => {},
}: ProveOptions): Promise<Proof> {
  const proven = within.length === 0 ? families : within.map(familyOf)
  const wanted = ({ name }: { name: string }) =>
    only.length === 0 || only.some((word) => name.startsWith(word))
  const workers = startWorkers(count)
  try {
    const references = (await workAll(
      proven.map(({ name }) => ({ kind: 'reference', family: name })),
      workers,
    )) as Reference[]
    const jobs = proven.flatMap((family, place) =>
      jobsOf(family, references[place]!, wanted, quick?.part),
    )
    const results = await workAll(jobs, workers, (done) => progress(done, jobs.length))
    if (quick === undefined) return proofOf([...references, ...results])
    const again = await judgeAgain(jobs, results, quick.golden, workers)
    return {
      ...proofOf([...references, ...results.map((result, at) => again.get(at) ?? result)]),
      judgedAgain: again.size,
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** Judges again, by all checks, the faults that the few have not found as they should. By the places of their jobs. */
async function judgeAgain(
  jobs: readonly Job[],
  results: readonly JobResult[],
  golden: KillMatrix,
  workers: Parameters<typeof workAll>[1],
): Promise<ReadonlyMap<number, JobResult>> {
  const missed = jobs.flatMap((job, at) => {
    const result = results[at]!
    if (job.kind !== 'fault' || result.kind !== 'fault') return []
    const cell = { [job.name]: golden[job.name] ?? [] }
    const isLowered =
      result.errors.length > 0 ||
      result.hits === 0 ||
      cell[job.name]!.length === 0 ||
      lowered(cell, matrixOf({ faults: [result], mutants: [] })).length > 0
    return isLowered ? [{ at, job: { family: job.family, kind: job.kind, name: job.name } }] : []
  })
  const again = await workAll(
    missed.map(({ job }) => job),
    workers,
  )
  return new Map(missed.map(({ at }, index) => [at, again[index]!]))
}

function jobsOf(
  { name: family, faults, factors, exclusions, mutants, nulls = [] }: Family,
  reference: Reference,
  wanted: (named: { name: string }) => boolean,
  part: number | undefined,
): Job[] {
  return [
    ...faults.filter(wanted).map(({ name, violates }): Job => ({
      family,
      kind: 'fault',
      name,
      ...(part === undefined ? {} : { judges: judgesOf(violates, reference) }),
    })),
    ...[...configurationsOf(factors, exclusions)]
      .filter(([name]) => wanted({ name }))
      .map(([name, choice]): Job => ({ family, kind: 'variation', name, choice })),
    ...nullsOf({ nulls })
      .filter(wanted)
      .map(({ name }): Job => ({ family, kind: 'null', name })),
    ...mutants
      .filter((_, at) => part === undefined || at % parts === part)
      .filter(wanted)
      .map(({ name, kind, violates }): Job => ({
        family,
        kind: 'mutant',
        name,
        readers: readersOf(reference.readers[kind] ?? [], violates),
      })),
  ]
}

/** Those of the violated rows first: they must be among the ones that act. */
function readersOf(keys: readonly string[], violates: readonly string[]): string[] {
  const own = (key: string) => (violates.some((row) => key.startsWith(`${row} `)) ? 0 : 1)
  return [...keys].sort((one, other) => own(one) - own(other)).slice(0, readersEach)
}
