import { isWorse, type BlindRecords } from './blind-record.ts'
import { blindServers, findBlindServer } from './blind-servers/index.ts'
import { families as allFamilies, findFamily } from './families.ts'
import { nullTargetsOf, type Family } from './family.ts'
import { groupResults, type Proof } from './figures.ts'
import type { Job, Reference, JobResult } from './jobs.ts'
import { listLowered, newKillMatrix, type KillMatrix } from './matrix.ts'
import { selectChecks } from './narrow.ts'
import { isKilledForTheRightReason } from './outcome.ts'
import { runJobs, startWorkers } from './pool.ts'
import { listConfigurations, listQuickConfigurations } from './variations/configurations.ts'

/**
 * How many of the checks that read a mutated message run against its mutant. A few are usually
 * enough, because the watching checks see the message whichever check caused it. A mutant that
 * these checks do not find is judged by all checks that read the message.
 */
const maxReaders = 5

/**
 * The number of parts into which the faults, the mutants and most conforming servers are divided.
 * The quick proof tries one part.
 */
export const quickParts = 20

export interface ProveOptions {
  /** Number of worker threads. */
  workers: number
  /** Names of the families to prove; by default all. */
  families?: readonly string[]
  /**
   * Tries only faults, mutants, conforming servers, null targets and switches whose names start
   * with one of these prefixes; by default all.
   */
  namePrefixes?: readonly string[]
  /**
   * Judges each fault by fewer checks: those of the topics whose requirements the fault violates.
   * If they find less than the recorded matrix contains, all checks judge the fault.
   *
   * With `part` (0 to `quickParts` - 1), runs the quick proof. Then only the checks of the violated
   * requirements judge a fault. Every value that can be combined with others is tried in at least
   * one conforming server, and a quarter of the other values. Of the faults, the mutants and the
   * other conforming servers, only this part is tried.
   */
  narrow?: { recorded: KillMatrix; part?: number }
  /** Judges the blind implementations as well, or only these. By default, judges none of them. */
  blind?: 'as well' | 'only'
  /**
   * The records of the blind implementations. A switch whose outcome is worse than its record is
   * tried again.
   */
  blindRecords?: BlindRecords
  progress?: (done: number, total: number) => void
}

/**
 * Runs the proof. The references come first, because they show which checks receive which message.
 * Then come all faults, mutants, variations, null targets and switches of blind implementations.
 */
export async function prove({
  workers: count,
  families = [],
  namePrefixes = [],
  narrow,
  blind,
  blindRecords = {},
  progress = () => {},
}: ProveOptions): Promise<Proof> {
  // Both functions throw for an unknown name.
  if (blind === 'only') families.forEach(findBlindServer)
  else families.forEach(findFamily)
  const isProven = ({ name }: { name: string }) => families.length === 0 || families.includes(name)
  const provenFamilies = allFamilies.filter(isProven)
  const isSelected = ({ name }: { name: string }) =>
    namePrefixes.length === 0 || namePrefixes.some((prefix) => name.startsWith(prefix))
  const workers = startWorkers(count)
  try {
    const tested = blind === 'only' ? [] : provenFamilies
    const references = (await runJobs(
      tested.map(({ name }) => ({ kind: 'reference', family: name })),
      workers,
    )) as Reference[]
    const jobs = [
      ...tested.flatMap((family, index) =>
        planJobs(family, references[index]!, isSelected, narrow),
      ),
      ...blindServers
        .filter(isProven)
        .flatMap(({ name: implementation, switches }) =>
          (blind === undefined ? [] : switches)
            .filter(isSelected)
            .map(({ name }): Job => ({ kind: 'blind', implementation, name })),
        ),
    ]
    const results = await runJobs(jobs, workers, (done) => progress(done, jobs.length))
    await retryWorse(jobs, results, blindRecords, workers)
    await rejudgeSurvivors(jobs, results, tested, references, workers)
    if (narrow === undefined) return groupResults([...references, ...results])
    const rejudged = await rejudgeMissed(jobs, results, narrow.recorded, workers)
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

/** How often the references are judged to find the senders, each time with another seed. */
const senderRounds = 3

/** Judges only the references, several times, to find which checks send messages for others. */
export async function judgeReferences(count: number): Promise<Reference[]> {
  const workers = startWorkers(count)
  const rounds = Array.from({ length: senderRounds }, (_, round) => round)
  try {
    return (await runJobs(
      rounds.flatMap((round) =>
        allFamilies.map(({ name: family }): Job => ({ kind: 'reference', family, round })),
      ),
      workers,
    )) as Reference[]
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** The maximum number of tries of a switch whose outcome is worse than its record. */
const maxTries = 3

/**
 * Tries a switch of a blind implementation again if its outcome is worse than its record, and
 * replaces its result. Outcomes differ from run to run, because the servers choose values at
 * random.
 */
async function retryWorse(
  jobs: readonly Job[],
  results: JobResult[],
  records: BlindRecords,
  workers: Parameters<typeof runJobs>[1],
): Promise<void> {
  for (let tries = 1; tries < maxTries; tries += 1) {
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
 * If the selected readers did not kill a mutant, judges it again with all readers, and replaces its
 * result. The selected readers may have received the message only without the mutated part, for
 * example as an empty list.
 */
async function rejudgeSurvivors(
  jobs: readonly Job[],
  results: JobResult[],
  families: readonly Family[],
  references: readonly Reference[],
  workers: Parameters<typeof runJobs>[1],
): Promise<void> {
  const survivors = jobs.flatMap((job, index) => {
    const result = results[index]!
    if (job.kind !== 'mutant' || result.kind !== 'mutant' || isKilledForTheRightReason(result))
      return []
    const at = families.findIndex(({ name }) => name === job.family)
    const mutant = families[at]!.mutants.find(({ name }) => name === job.name)!
    const readers = references[at]!.readers[mutant.messageKind] ?? []
    const all = [...new Set([...job.readers, ...readers])]
    return all.length > job.readers.length ? [{ index, job: { ...job, readers: all } }] : []
  })
  const rejudged = await runJobs(
    survivors.map(({ job }) => job),
    workers,
  )
  for (const [at, { index }] of survivors.entries()) results[index] = rejudged[at]!
}

/**
 * Judges faults again, by all checks, if the selected checks found less than the recorded matrix
 * contains or had an error. Also judges a fault again if its server never deviated. Returns the new
 * results by the index of their job.
 */
async function rejudgeMissed(
  jobs: readonly Job[],
  results: readonly JobResult[],
  recorded: KillMatrix,
  workers: Parameters<typeof runJobs>[1],
): Promise<ReadonlyMap<number, JobResult>> {
  const missed = jobs.flatMap((job, index) => {
    const result = results[index]!
    if (job.kind !== 'fault' || result.kind !== 'fault') return []
    const expected = { [job.name]: recorded[job.name] ?? [] }
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
  narrow: ProveOptions['narrow'],
): Job[] {
  const part = narrow?.part
  const scope = part === undefined ? 'topics' : 'requirements'
  return [
    ...faults
      .filter((_, index) => part === undefined || index % quickParts === part)
      .filter(isSelected)
      .map(({ name, violates }): Job => ({
        family,
        kind: 'fault',
        name,
        ...(narrow === undefined ? {} : { checks: selectChecks(violates, reference, scope) }),
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
        readers: selectReaders(reference, messageKind, violates),
      })),
  ]
}

/**
 * Selects the checks that run against a mutant: first the checks of the violated requirements, then
 * other checks that read the message, up to the maximum. The checks of the violated requirements
 * need not have read the message themselves. For example, a check can examine the list of tools
 * that another check read in the same session.
 */
function selectReaders(
  { readers, checks }: Reference,
  messageKind: string,
  violates: readonly string[],
): string[] {
  const own = checks.filter(
    ({ kind, requirement }) => kind === 'act' && violates.includes(requirement),
  )
  return [...new Set([...own.map(({ key }) => key), ...(readers[messageKind] ?? [])])].slice(
    0,
    maxReaders,
  )
}
