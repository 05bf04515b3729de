import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import { listDoors, listDoorsMissingInCatalogue } from './doors.ts'
import type {
  BlindOutcome,
  NullTargetOutcome,
  Reference,
  JobResult,
  VariationOutcome,
} from './jobs.ts'
import { isKilled, isKilledForTheRightReason, type FaultOutcome } from './outcome.ts'

/** All results of the proof, by kind. */
export interface Proof {
  references: Reference[]
  faults: FaultOutcome[]
  mutants: FaultOutcome[]
  variations: VariationOutcome[]
  nullTargets: NullTargetOutcome[]
  blind: BlindOutcome[]
  /**
   * How many faults were judged again, by all checks, because the selected checks had found too
   * little. Undefined in a full proof, which selects no checks.
   */
  rejudged?: number
}

export interface Figures {
  faults: number
  mutants: number
  killed: number
  /** How many faults were killed by a check of a violated requirement. */
  rightReason: number
  /** Faults that never deviated. */
  neverApplied: string[]
  /** Faults that deviated, but that no check found. */
  survivors: string[]
  /** Faults that were only found by checks of other requirements. */
  wrongReason: string[]
  suiteErrors: string[]
  expectations: number
  /** Expectations that no fault breaks. */
  deadExpectations: string[]
  /** Requirements of level `must` whose checks find fewer than two of their faults. */
  fewFaults: string[]
  /** The number of doors that the catalogue lists. */
  doors: number
  /** Doors in the catalogue at which no check of the requirement finds a fault. */
  openDoors: string[]
  /** Doors that checks examine, but that the catalogue does not list. */
  unlistedDoors: string[]
  /** Failures of conforming servers. */
  falseFailures: string[]
  /** Warnings about requirements that the server meets. */
  falseWarnings: string[]
  variations: number
  nullTargetPasses: string[]
  /** The number of requirements with a failed check, per fault: median and maximum. */
  failedPerFault: { median: number; most: number }
}

/** Groups results by kind. */
export function groupResults(results: readonly JobResult[]): Proof {
  const ofKind = <K extends JobResult['kind']>(kind: K) =>
    results.filter((result): result is Extract<JobResult, { kind: K }> => result.kind === kind)
  return {
    references: ofKind('reference'),
    faults: ofKind('fault'),
    mutants: ofKind('mutant'),
    variations: ofKind('variation'),
    nullTargets: ofKind('null'),
    blind: ofKind('blind'),
  }
}

/** Computes the figures of a proof. `checked` are the requirements that have a check. */
export function computeFigures(
  { references, faults, mutants, variations, nullTargets }: Proof,
  checked: ReadonlySet<string>,
): Figures {
  const all = [...faults, ...mutants]
  const expectations = references.flatMap((reference) => reference.expectations)
  const failed = new Set(all.flatMap((outcome) => outcome.failedExpectations))
  const doors = listDoors(checked)
  const failedDoors = new Set(all.flatMap((outcome) => outcome.failedDoors))
  const counts = all
    .filter(isKilled)
    .map(({ failedRequirements }) => failedRequirements.length)
    .sort((a, b) => a - b)
  const countKills = (id: string) =>
    all.filter(
      ({ violates, failedRequirements }) =>
        violates.includes(id) && failedRequirements.includes(id),
    ).length
  const names = (list: readonly FaultOutcome[]) => list.map(({ fault }) => fault)
  return {
    faults: faults.length,
    mutants: mutants.length,
    killed: all.filter(isKilled).length,
    rightReason: all.filter(isKilledForTheRightReason).length,
    neverApplied: names(all.filter(({ hits }) => hits === 0)),
    survivors: names(all.filter((outcome) => outcome.hits > 0 && !isKilled(outcome))),
    wrongReason: all
      .filter((outcome) => isKilled(outcome) && !isKilledForTheRightReason(outcome))
      .map(
        ({ fault, violates, failedRequirements }) =>
          `${fault}: violates ${violates.join(', ')}, found by ${failedRequirements.join(', ')}`,
      ),
    suiteErrors: [
      ...all.flatMap(({ fault, errors }) => errors.map((error) => `${fault}: ${error}`)),
      ...references.flatMap(({ unsound }) => unsound),
    ],
    expectations: expectations.length,
    deadExpectations: expectations.filter((expectation) => !failed.has(expectation)),
    fewFaults: (Object.keys(requirements) as RequirementId[])
      .filter((id) => checked.has(id) && requirements[id].level === 'must' && countKills(id) < 2)
      .map((id) => `${id}: ${countKills(id)}`),
    doors: doors.length,
    openDoors: doors.filter((door) => !failedDoors.has(door)),
    unlistedDoors: listDoorsMissingInCatalogue(references.flatMap(({ doors }) => doors)),
    falseFailures: variations.flatMap(({ name, failures }) =>
      failures.map((failure) => `${name}: ${failure}`),
    ),
    falseWarnings: variations.flatMap(({ name, falseWarnings: unwarranted }) =>
      unwarranted.map((warning) => `${name}: ${warning}`),
    ),
    variations: variations.length,
    nullTargetPasses: nullTargets
      .filter(({ totals }) => totals.pass > 0)
      .map(({ family, name, totals }) => `${family}, ${name}: ${totals.pass}`),
    failedPerFault: {
      median: counts[Math.floor(counts.length / 2)] ?? 0,
      most: counts.at(-1) ?? 0,
    },
  }
}

/** Lists the problems that make the proof fail, one per line. Empty if the proof succeeds. */
export function listProblems(figures: Figures): string[] {
  const lines = (what: string, list: readonly string[]) => list.map((item) => `${what}: ${item}`)
  return [
    ...lines('never deviated', figures.neverApplied),
    ...lines('survived', figures.survivors),
    ...lines('killed for the wrong reason', figures.wrongReason),
    ...lines('error of the suite', figures.suiteErrors),
    ...lines('expectation that kills nothing', figures.deadExpectations),
    ...lines('requirement with fewer than two faults', figures.fewFaults),
    ...lines('door without a fault', figures.openDoors),
    ...lines('door that the catalogue does not list', figures.unlistedDoors),
    ...lines('conforming server failed', figures.falseFailures),
    ...lines('conforming server warned', figures.falseWarnings),
    ...lines('check passed on a null target', figures.nullTargetPasses),
  ]
}
