import type { Verdict } from '../../engine/index.ts'

/** The outcomes of a run, by the key of the check. */
export type Outcomes = ReadonlyMap<string, Verdict['verdict']>

export const outcomesOf = (verdicts: readonly Verdict[]): Outcomes =>
  new Map(verdicts.map(({ key, verdict }) => [key, verdict]))

/** A check with an outcome that differs from its outcome in the first run. */
export interface Difference {
  key: string
  /** Undefined if the run has no verdict of the check. */
  expected: Verdict['verdict'] | undefined
  received: Verdict['verdict'] | undefined
}

/** Lists the checks with different outcomes in two runs of the same checks. */
export function findDifferences(first: Outcomes, later: Outcomes): Difference[] {
  return [...new Set([...first.keys(), ...later.keys()])]
    .map((key) => ({ key, expected: first.get(key), received: later.get(key) }))
    .filter(({ expected, received }) => expected !== received)
}
