import type { BlindRecords } from './blind-record.ts'
import { blindServers, findBlindServer, type BlindSwitch } from './blind-servers/index.ts'
import { families as allFamilies, findFamily } from './families.ts'
import { nullTargetsOf, type Family } from './family.ts'
import { groupResults, type Proof } from './figures.ts'
import type { Job, JobResult, Reference } from './jobs.ts'
import type { KillMatrix } from './matrix.ts'
import { selectChecks } from './narrow.ts'
import { runJobs, startWorkers } from './pool.ts'
import {
  listUnbroken,
  readersOfMutant,
  rejudgeFaultsOf,
  rejudgeMissed,
  rejudgeSurvivors,
  retryWorse,
} from './rejudge.ts'
import { listConfigurations, listFewConfigurations } from './variations/configurations.ts'

/**
 * How many of the checks that read a mutated message run against its mutant. A few are usually
 * enough, because the watching checks see the message whichever check caused it. A mutant that
 * these checks do not find is judged by all checks that read the message.
 */
const maxReaders = { topics: 5, requirements: 2 }

/**
 * The number of parts into which the faults, the mutants and most conforming servers are divided.
 * The quick proof tries one part.
 */
export const quickParts = 20

/**
 * A shorter proof. It judges each fault by fewer checks. If these find less than the recorded
 * matrix contains, all checks judge the fault.
 */
export interface NarrowProof {
  recorded: KillMatrix
  /**
   * - `topics`: the checks of the topics whose requirements the fault violates.
   * - `requirements`: only the checks of these requirements. Fewer conforming servers are tried:
   *   each has a value that cannot be combined with others, or combines values that no other
   *   server combines.
   */
  scope: 'topics' | 'requirements'
  /**
   * Tries only this part (0 to `quickParts` - 1) of the faults, the mutants and most conforming
   * servers, and a quarter of those with a value that cannot be combined.
   */
  part?: number
}

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
  /** Runs a shorter proof; by default, the whole one. */
  narrow?: NarrowProof
  /** Judges the blind implementations as well, or only these. By default, judges none of them. */
  blind?: 'as well' | 'only'
  /**
   * The records of the blind implementations. A switch whose outcome is worse than its record is
   * tried again.
   */
  blindRecords?: BlindRecords
  /** Which switches of a blind implementation are judged. By default, all. */
  selectsSwitch?: (implementation: string, one: BlindSwitch) => boolean
  progress?: (done: number, total: number, latest: JobResult) => void
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
  selectsSwitch = () => true,
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
            .filter((one) => isSelected(one) && selectsSwitch(implementation, one))
            .map(({ name }): Job => ({ kind: 'blind', implementation, name })),
        ),
    ]
    const results = await runJobs(jobs, workers, (done, latest) =>
      progress(done, jobs.length, latest),
    )
    await retryWorse(jobs, results, blindRecords, workers)
    const readersOf = (job: Job): string[] => readersOfMutant(job, tested, references)
    await rejudgeSurvivors(jobs, results, readersOf, workers)
    if (narrow === undefined) return groupResults([...references, ...results])
    const rejudged = await rejudgeMissed(jobs, results, narrow.recorded, readersOf, workers)
    const isComplete = narrow.part === undefined && namePrefixes.length === 0
    const unbroken = isComplete ? listUnbroken(references, results) : new Set<string>()
    const again = await rejudgeFaultsOf(unbroken, jobs, results, references, workers)
    return { ...groupResults([...references, ...results]), rejudged: rejudged + again }
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

/** The number of conforming servers that the whole proof tries. A shorter proof tries fewer. */
export const countConfigurations = (): number =>
  allFamilies
    .map(({ factors, exclusions }) => listConfigurations(factors, exclusions).size)
    .reduce((sum, size) => sum + size, 0)

const toQuick = (part: number | undefined) =>
  part === undefined ? undefined : { part, parts: quickParts }

function planJobs(
  { name: family, faults, factors, exclusions, mutants, nullTargets = [] }: Family,
  reference: Reference,
  isSelected: (named: { name: string }) => boolean,
  narrow: ProveOptions['narrow'],
): Job[] {
  const { part, scope } = narrow ?? {}
  return [
    ...faults
      .filter((_, index) => part === undefined || index % quickParts === part)
      .filter(isSelected)
      .map(({ name, violates }): Job => ({
        family,
        kind: 'fault',
        name,
        ...(scope === undefined ? {} : { checks: selectChecks(violates, reference, scope) }),
      })),
    ...[
      ...(scope === 'requirements'
        ? listFewConfigurations(factors, exclusions, toQuick(part))
        : listConfigurations(factors, exclusions)),
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
        readers: selectReaders(reference, messageKind, violates, maxReaders[scope ?? 'topics']),
      })),
  ]
}

/**
 * Selects the checks that run against a mutant: first the checks of the violated requirements, then
 * other checks that read the message, up to the limit. The checks of the violated requirements
 * need not have read the message themselves. For example, a check can examine the list of tools
 * that another check read in the same session.
 */
function selectReaders(
  { readers, checks }: Reference,
  messageKind: string,
  violates: readonly string[],
  limit: number,
): string[] {
  const own = checks.filter(
    ({ kind, requirement }) => kind === 'act' && violates.includes(requirement),
  )
  const all = new Set([...own.map(({ key }) => key), ...(readers[messageKind] ?? [])])
  return [...all].slice(0, limit)
}
