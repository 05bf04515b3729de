import type { RequirementId } from '../../generated/requirements/index.ts'
import { isWorse, type BlindRecords } from './blind-record.ts'
import { listDoors } from './doors.ts'
import type { Family } from './family.ts'
import type { Job, JobResult, Reference } from './jobs.ts'
import { listLowered, newKillMatrix, type KillMatrix } from './matrix.ts'
import { selectChecks } from './narrow.ts'
import { isKilledForTheRightReason } from './outcome.ts'
import { runJobs } from './pool.ts'
import { requirementOfKey } from './trial.ts'

// Jobs that are run again, because their results may only show that too few checks ran, or that
// servers choose values at random.

/** Runs jobs again. Returns their new results by the index of the first one. */
async function runAgain(
  again: readonly { index: number; job: Job }[],
  workers: Parameters<typeof runJobs>[1],
): Promise<ReadonlyMap<number, JobResult>> {
  const results = await runJobs(
    again.map(({ job }) => job),
    workers,
  )
  return new Map(again.map(({ index }, at) => [index, results[at]!]))
}

/** The maximum number of tries of a switch whose outcome is worse than its record. */
const maxTries = 3

/**
 * Tries a switch of a blind implementation again if its outcome is worse than its record, and
 * replaces its result. Outcomes differ from run to run, because the servers choose values at
 * random.
 */
export async function retryWorse(
  jobs: readonly Job[],
  results: JobResult[],
  records: BlindRecords,
  workers: Parameters<typeof runJobs>[1],
): Promise<void> {
  for (let tries = 1; tries < maxTries; tries += 1) {
    const worse = [...results.entries()].flatMap(([index, result]) =>
      result.kind === 'blind' && isWorse(records, result) ? [{ index, job: jobs[index]! }] : [],
    )
    for (const [index, result] of await runAgain(worse, workers)) results[index] = result
  }
}

/** The keys of all checks that read the mutated message. Empty for a job of another kind. */
export function readersOfMutant(
  job: Job,
  families: readonly Family[],
  references: readonly Reference[],
): string[] {
  if (job.kind !== 'mutant') return []
  const at = families.findIndex(({ name }) => name === job.family)
  const mutant = families[at]!.mutants.find(({ name }) => name === job.name)!
  return [...new Set([...job.readers, ...(references[at]!.readers[mutant.messageKind] ?? [])])]
}

/**
 * If the selected readers did not kill a mutant, judges it again with all readers, and replaces its
 * result. The selected readers may have received the message only without the mutated part, for
 * example as an empty list.
 */
export async function rejudgeSurvivors(
  jobs: readonly Job[],
  results: JobResult[],
  readersOf: (job: Job) => string[],
  workers: Parameters<typeof runJobs>[1],
): Promise<void> {
  const survivors = jobs.flatMap((job, index) => {
    const result = results[index]!
    if (job.kind !== 'mutant' || result.kind !== 'mutant' || isKilledForTheRightReason(result))
      return []
    const readers = readersOf(job)
    return readers.length > job.readers.length ? [{ index, job: { ...job, readers } }] : []
  })
  for (const [index, result] of await runAgain(survivors, workers)) results[index] = result
}

/**
 * Judges faults and mutants again, by all checks, if the selected checks found less than the
 * recorded matrix contains or had an error, and replaces their results. Also judges a fault again
 * if its server never deviated. Returns how many were judged again.
 */
export async function rejudgeMissed(
  jobs: readonly Job[],
  results: JobResult[],
  recorded: KillMatrix,
  readersOf: (job: Job) => string[],
  workers: Parameters<typeof runJobs>[1],
): Promise<number> {
  const missed = jobs.flatMap((job, index) => {
    const result = results[index]!
    if (job.kind !== 'fault' && job.kind !== 'mutant') return []
    if (result.kind !== 'fault' && result.kind !== 'mutant') return []
    const expected = { [job.name]: recorded[job.name] ?? [] }
    const isMissed =
      result.errors.length > 0 ||
      result.hits === 0 ||
      expected[job.name]!.length === 0 ||
      listLowered(expected, newKillMatrix({ faults: [result], mutants: [] })).length > 0
    if (!isMissed) return []
    const again: Job =
      job.kind === 'mutant'
        ? { ...job, readers: readersOf(job) }
        : { family: job.family, kind: job.kind, name: job.name }
    return [{ index, job: again }]
  })
  for (const [index, result] of await runAgain(missed, workers)) results[index] = result
  return missed.length
}

/** The requirements with an expectation or a door at which no fault was found. */
export function listUnbroken(
  references: readonly Reference[],
  results: readonly JobResult[],
): ReadonlySet<string> {
  const broken = new Set(
    results.flatMap((result) =>
      result.kind === 'fault' || result.kind === 'mutant'
        ? [...result.failedExpectations, ...result.failedDoors]
        : [],
    ),
  )
  const checked = new Set(
    references.flatMap(({ checks }) => checks.map(({ requirement }) => requirement)),
  )
  return new Set(
    [...references.flatMap(({ expectations }) => expectations), ...listDoors(checked)]
      .filter((key) => !broken.has(key))
      .map(requirementOfKey),
  )
}

/**
 * Judges the faults of these requirements again, by the checks of their topics, and adds what these
 * find. Few checks cause few messages, so that some expectations and doors are not reached. Returns
 * how many faults were judged again.
 */
export async function rejudgeFaultsOf(
  ids: ReadonlySet<string>,
  jobs: readonly Job[],
  results: JobResult[],
  references: readonly Reference[],
  workers: Parameters<typeof runJobs>[1],
): Promise<number> {
  const again = jobs.flatMap((job, index) => {
    const result = results[index]!
    if (job.kind !== 'fault' || result.kind !== 'fault') return []
    if (!result.violates.some((id) => ids.has(id))) return []
    const reference = references.find(({ family }) => family === job.family)!
    const checks = selectChecks(result.violates as RequirementId[], reference, 'topics')
    return [{ index, job: { ...job, checks } }]
  })
  for (const [index, second] of await runAgain(again, workers)) {
    const first = results[index]!
    if (first.kind !== 'fault' || second.kind !== 'fault') continue
    results[index] = {
      ...first,
      failedExpectations: [...first.failedExpectations, ...second.failedExpectations],
      failedDoors: [...first.failedDoors, ...second.failedDoors],
      errors: [...first.errors, ...second.errors],
    }
  }
  return again.length
}
