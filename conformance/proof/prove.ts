import { isWorse, type BlindRecords } from './blind-record.ts'
import { blindServers } from './blind-servers.ts'
import { families as allFamilies, findFamily } from './families.ts'
import { nullTargetsOf, type Family } from './family.ts'
import { groupResults, type Proof } from './figures.ts'
import type { Job, Reference, JobResult } from './jobs.ts'
import { listLowered, newKillMatrix, type KillMatrix } from './matrix.ts'
import { selectChecks } from './narrow.ts'
import { runJobs, startWorkers } from './pool.ts'
import { listConfigurations, listQuickConfigurations } from './variations/configurations.ts'

/**
 * How many of the checks that read a mutated message run against its mutant. A few are enough,
 * because the watching checks see the message whichever check caused it.
 */
const maxReaders = 5

/** The quick proof tries one tenth of the mutants, and of most conforming servers. */
export const quickParts = 10

export interface ProveOptions {
  /** Number of worker threads. */
  workers: number
  /** Names of the families to prove; by default all. */
  families?: readonly string[]
  /** Only what has a name with one of these prefixes. */
  namePrefixes?: readonly string[]
  /**
   * The quick proof: each fault is judged by the checks of the topics that it violates, and by all
   * checks if these find less than the golden matrix. Every choice of a conforming server is tried
   * at least once. Of the other conforming servers and of the mutants, one part (0 to
   * `quickParts` - 1) is tried.
   */
  quick?: { part: number; golden: KillMatrix }
  /** Whether the blind implementations are judged as well. */
  withBlind?: boolean
  /** What the blind implementations showed before. What is worse now is tried again. */
  blindRecords?: BlindRecords
  progress?: (done: number, total: number) => void
}

/**
 * Runs the proof. The references come first, because they show which checks read which message;
 * then all faults, mutants, variations and null targets.
 */
export async function prove({
  workers: count,
  families = [],
  namePrefixes = [],
  quick,
  withBlind = false,
  blindRecords = {},
  progress = () => {},
}: ProveOptions): Promise<Proof> {
  families.forEach(findFamily) // throws for an unknown name
  const isProven = ({ name }: { name: string }) => families.length === 0 || families.includes(name)
  const provenFamilies = allFamilies.filter(isProven)
  const isSelected = ({ name }: { name: string }) =>
    namePrefixes.length === 0 || namePrefixes.some((prefix) => name.startsWith(prefix))
  const workers = startWorkers(count)
  try {
    const references = (await runJobs(
      provenFamilies.map(({ name }) => ({ kind: 'reference', family: name })),
      workers,
    )) as Reference[]
    const jobs = [
      ...provenFamilies.flatMap((family, index) =>
        planJobs(family, references[index]!, isSelected, quick?.part),
      ),
      ...blindServers
        .filter(isProven)
        .flatMap(({ name: family, switches }) =>
          (withBlind ? switches : [])
            .filter(isSelected)
            .map(({ name }): Job => ({ family, kind: 'blind', name })),
        ),
    ]
    const results = await runJobs(jobs, workers, (done) => progress(done, jobs.length))
    await retryWorse(jobs, results, blindRecords, workers)
    if (quick === undefined) return groupResults([...references, ...results])
    const rejudged = await rejudgeMissed(jobs, results, quick.golden, workers)
    return {
      ...groupResults([
        ...references,
        ...results.map((result, index) => rejudged.get(index) ?? result),
      ]),
      rejudged: rejudged.size,
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** How often a blind implementation is tried that is worse than its record. */
const mostTries = 3

/**
 * Tries switches of blind implementations again that are worse than their record, because their
 * servers choose values at random. Replaces their results.
 */
async function retryWorse(
  jobs: readonly Job[],
  results: JobResult[],
  records: BlindRecords,
  workers: Parameters<typeof runJobs>[1],
): Promise<void> {
  for (let tries = 1; tries < mostTries; tries += 1) {
    const worse = [...results.entries()].flatMap(([index, result]) =>
      result.kind === 'blind' && isWorse(records, result) ? [index] : [],
    )
    const again = await runJobs(
      worse.map((index) => jobs[index]!),
      workers,
    )
    for (const [at, index] of worse.entries()) results[index] = again[at]!
  }
}

/**
 * Judges by all checks those faults of which the selected checks found less than the golden matrix.
 * Returns the new results by the index of their job.
 */
async function rejudgeMissed(
  jobs: readonly Job[],
  results: readonly JobResult[],
  golden: KillMatrix,
  workers: Parameters<typeof runJobs>[1],
): Promise<ReadonlyMap<number, JobResult>> {
  const missed = jobs.flatMap((job, index) => {
    const result = results[index]!
    if (job.kind !== 'fault' || result.kind !== 'fault') return []
    const expected = { [job.name]: golden[job.name] ?? [] }
    const isMissed =
      result.errors.length > 0 ||
      result.hits === 0 ||
      expected[job.name]!.length === 0 ||
      listLowered(expected, newKillMatrix({ faults: [result], mutants: [] })).length > 0
    return isMissed ? [{ index, job: { family: job.family, kind: job.kind, name: job.name } }] : []
  })
  const rejudged = await runJobs(
    missed.map(({ job }) => job),
    workers,
  )
  return new Map(missed.map(({ index }, at) => [index, rejudged[at]!]))
}

function planJobs(
  { name: family, faults, factors, exclusions, mutants, nullTargets = [] }: Family,
  reference: Reference,
  isSelected: (named: { name: string }) => boolean,
  part: number | undefined,
): Job[] {
  return [
    ...faults.filter(isSelected).map(({ name, violates }): Job => ({
      family,
      kind: 'fault',
      name,
      ...(part === undefined ? {} : { checks: selectChecks(violates, reference) }),
    })),
    ...[
      ...(part === undefined
        ? listConfigurations(factors, exclusions)
        : listQuickConfigurations(factors, exclusions, { part, parts: quickParts })),
    ]
      .filter(([name]) => isSelected({ name }))
      .map(([name, choice]): Job => ({ family, kind: 'variation', name, choice })),
    ...nullTargetsOf({ nullTargets })
      .filter(isSelected)
      .map(({ name }): Job => ({ family, kind: 'null', name })),
    ...mutants
      .filter((_, index) => part === undefined || index % quickParts === part)
      .filter(isSelected)
      .map(({ name, messageKind, violates }): Job => ({
        family,
        kind: 'mutant',
        name,
        readers: selectReaders(reference.readers[messageKind] ?? [], violates),
      })),
  ]
}

/** The checks of the violated requirements come first: they must be among those that act. */
function selectReaders(keys: readonly string[], violates: readonly string[]): string[] {
  const rank = (key: string) => (violates.some((id) => key.startsWith(`${id} `)) ? 0 : 1)
  return [...keys].sort((one, other) => rank(one) - rank(other)).slice(0, maxReaders)
}
