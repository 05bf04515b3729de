import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { NullOutcome, Reference, JobResult, VariationOutcome } from './jobs.ts'
import { isKilled, isKilledForTheRightReason, type FaultOutcome } from './outcome.ts'

/** Everything that the proof found, ready to be told. */
export interface Proof {
  references: Reference[]
  faults: FaultOutcome[]
  mutants: FaultOutcome[]
  variations: VariationOutcome[]
  nulls: NullOutcome[]
  /** Faults that a quick proof had to judge again, by all checks. */
  judgedAgain?: number
}

export interface Figures {
  faults: number
  mutants: number
  killed: number
  rightReason: number
  neverApplied: string[]
  survivors: string[]
  wrongReason: string[]
  suiteErrors: string[]
  expectations: number
  deadExpectations: string[]
  /** Must-rows with a check that fewer than two faults break. */
  thinRows: string[]
  falseFailures: string[]
  unwarranted: string[]
  variations: number
  nullPasses: string[]
  /** Rows that one fault breaks: median and most. */
  fanOut: { median: number; most: number }
}

/** Sorts results by kind. */
export function proofOf(results: readonly JobResult[]): Proof {
  const of = <K extends JobResult['kind']>(kind: K) =>
    results.filter((result): result is Extract<JobResult, { kind: K }> => result.kind === kind)
  return {
    references: of('reference'),
    faults: of('fault'),
    mutants: of('mutant'),
    variations: of('variation'),
    nulls: of('null'),
  }
}

/** The figures of a proof; `checked` are the rows that have a check. */
export function figuresOf(
  { references, faults, mutants, variations, nulls }: Proof,
  checked: ReadonlySet<string>,
): Figures {
  const all = [...faults, ...mutants]
  const expectations = references.flatMap((reference) => reference.expectations)
  const broken = new Set(all.flatMap((outcome) => outcome.broken))
  const spread = all
    .filter(isKilled)
    .map(({ found }) => found.length)
    .sort((a, b) => a - b)
  const breaking = (row: string) =>
    all.filter(({ violates, found }) => violates.includes(row) && found.includes(row)).length
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
        ({ fault, violates, found }) =>
          `${fault}: breaks ${violates.join(', ')}, found ${found.join(', ')}`,
      ),
    suiteErrors: [
      ...all.flatMap(({ fault, errors }) => errors.map((error) => `${fault}: ${error}`)),
      ...references.flatMap(({ unsound }) => unsound),
    ],
    expectations: expectations.length,
    deadExpectations: expectations.filter((expectation) => !broken.has(expectation)),
    thinRows: (Object.keys(requirements) as RequirementId[])
      .filter((row) => checked.has(row) && requirements[row].level === 'must' && breaking(row) < 2)
      .map((row) => `${row}: ${breaking(row)}`),
    falseFailures: variations.flatMap(({ name, failures }) =>
      failures.map((failure) => `${name}: ${failure}`),
    ),
    unwarranted: variations.flatMap(({ name, unwarranted }) =>
      unwarranted.map((warning) => `${name}: ${warning}`),
    ),
    variations: variations.length,
    nullPasses: nulls
      .filter(({ totals }) => totals.pass > 0)
      .map(({ family, name, totals }) => `${family}, ${name}: ${totals.pass}`),
    fanOut: { median: spread[Math.floor(spread.length / 2)] ?? 0, most: spread.at(-1) ?? 0 },
  }
}

/** What keeps the proof from standing, a line each; none where it stands. */
export function shortcomings(figures: Figures): string[] {
  const lines = (what: string, list: readonly string[]) => list.map((item) => `${what}: ${item}`)
  return [
    ...lines('never came into play', figures.neverApplied),
    ...lines('survived', figures.survivors),
    ...lines('killed for a wrong reason', figures.wrongReason),
    ...lines('error of the suite', figures.suiteErrors),
    ...lines('kills nothing', figures.deadExpectations),
    ...lines('fewer than two faults', figures.thinRows),
    ...lines('failed a legal server', figures.falseFailures),
    ...lines('warned a legal server without reason', figures.unwarranted),
    ...lines('passed a null target', figures.nullPasses),
  ]
}
