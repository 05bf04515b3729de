import { families, familyOf } from './families.ts'
import { nullsOf, type Family, type FamilyName } from './family.ts'
import type { Job, Reference } from './jobs.ts'
import { proofOf, type Proof } from './figures.ts'
import { startWorkers, workAll } from './pool.ts'

/** How many of the checks that read a mutated message act against its mutant: the watching checks see the message whichever check caused it. */
const readersEach = 5

export interface ProveOptions {
  workers: number
  /** Names of families, to prove these whole; all where there is none. */
  within?: readonly string[]
  /** Beginnings of names, to prove a part only. */
  only?: readonly string[]
  progress?: (done: number, total: number) => void
}

/** Judges the judge: the references first, since they tell who reads which message, then all faults, mutants, variations and null targets. */
export async function prove({
  workers: count,
  within = [],
  only = [],
  progress = () => {},
}: ProveOptions): Promise<Proof> {
  const proven = within.length === 0 ? families : within.map((name) => familyOf(name as FamilyName))
  const wanted = ({ name }: { name: string }) =>
    only.length === 0 || only.some((word) => name.startsWith(word))
  const workers = startWorkers(count)
  try {
    const references = (await workAll(
      proven.map(({ name }) => ({ kind: 'reference', family: name })),
      workers,
    )) as Reference[]
    const jobs = proven.flatMap((family, place) => jobsOf(family, references[place]!, wanted))
    const results = await workAll(jobs, workers, (done) => progress(done, jobs.length))
    return proofOf([...references, ...results])
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

function jobsOf(
  { name: family, faults, configurations, mutants, nulls = [] }: Family,
  { readers }: Reference,
  wanted: (named: { name: string }) => boolean,
): Job[] {
  return [
    ...faults.filter(wanted).map(({ name }): Job => ({ family, kind: 'fault', name })),
    ...configurations.filter(wanted).map(({ name }): Job => ({ family, kind: 'variation', name })),
    ...nullsOf({ nulls })
      .filter(wanted)
      .map(({ name }): Job => ({ family, kind: 'null', name })),
    ...mutants.filter(wanted).map(({ name, kind, violates }): Job => ({
      family,
      kind: 'mutant',
      name,
      readers: readersOf(readers[kind] ?? [], violates),
    })),
  ]
}

/** Those of the violated rows first: they must be among the ones that act. */
function readersOf(keys: readonly string[], violates: readonly string[]): string[] {
  const own = (key: string) => (violates.some((row) => key.startsWith(`${row} `)) ? 0 : 1)
  return [...keys].sort((one, other) => own(one) - own(other)).slice(0, readersEach)
}
