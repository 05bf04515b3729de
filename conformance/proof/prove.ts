import { faults } from '../../mocks/faults/index.ts'
import { mutants } from '../../mocks/faults/images/mutants.ts'
import { configurations } from '../../mocks/variations/index.ts'
import type { Job, Reference } from './jobs.ts'
import { nullTargets } from './nulls.ts'
import { proofOf, type Proof } from './figures.ts'
import { startWorkers, workAll } from './pool.ts'

/** How many of the checks that read a mutated message act against its mutant: the watching checks see the message whichever check caused it. */
const readersEach = 5

export interface ProveOptions {
  workers: number
  /** Beginnings of names, to prove a part only. */
  only?: readonly string[]
  progress?: (done: number, total: number) => void
}

/** Judges the judge: the reference first, since it tells who reads which message, then all faults, mutants, variations and null targets. */
export async function prove({ workers: count, only = [], progress = () => {} }: ProveOptions): Promise<Proof> {
  const wanted = ({ name }: { name: string }) => only.length === 0 || only.some((word) => name.startsWith(word))
  const workers = startWorkers(count)
  try {
    const [reference] = (await workAll([{ kind: 'reference' }], workers.slice(0, 1))) as [Reference]
    const jobs: Job[] = [
      ...faults.filter(wanted).map(({ name }): Job => ({ kind: 'fault', name })),
      ...configurations.filter(wanted).map(({ name }): Job => ({ kind: 'variation', name })),
      ...nullTargets.filter(wanted).map(({ name }): Job => ({ kind: 'null', name })),
      ...mutants.filter(wanted).map(({ name, operation, outcome, violates }): Job => ({
        kind: 'mutant',
        name,
        readers: readersOf(reference.readers[`${operation} ${outcome}`] ?? [], violates),
      })),
    ]
    const results = await workAll(jobs, workers, (done) => progress(done, jobs.length))
    return proofOf([reference, ...results])
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** Those of the violated rows first: they must be among the ones that act. */
function readersOf(keys: readonly string[], violates: readonly string[]): string[] {
  const own = (key: string) => (violates.some((row) => key.startsWith(`${row} `)) ? 0 : 1)
  return [...keys].sort((one, other) => own(one) - own(other)).slice(0, readersEach)
}
