import type { Outcome, Verdict } from '../engine/index.ts'
import { severity, topicTitlesFor } from '../report/explanation.ts'
import { meaningOf } from '../report/groups.ts'
import { comparableObservations } from './observations.ts'
import {
  haveDifferentSelections,
  positionOf,
  selectionOf,
  statementOf,
  type SavedRun,
} from './saved-run.ts'

/** What one implementation does about one requirement. */
export interface MatrixCell {
  /** The worst outcome of the requirement's checks; undefined if the run has none of them. */
  outcome: Outcome | undefined
  verdicts: readonly Verdict[]
}

export interface MatrixRow {
  requirement: string
  /**
   * The statement of the requirement; the title of a check if this version has no such requirement.
   */
  statement: string
  level: Verdict['level']
  /** One for each run, in the order of the runs. */
  cells: readonly MatrixCell[]
  /** Whether the results differ between the runs that have the requirement. */
  differs: boolean
}

export interface MatrixTopic {
  title: string
  rows: readonly MatrixRow[]
}

/** Several implementations side by side. */
export interface Matrix {
  runs: readonly SavedRun[]
  /** The requirements that the documents state. */
  required: readonly MatrixTopic[]
  /** The choices that the documents leave open. */
  open: readonly MatrixTopic[]
}

/** The result of a run in words, or why it has none. */
export const describeResult = (run: SavedRun): string =>
  run.problem === undefined ? meaningOf(run) : `no result: ${run.problem}`

/**
 * Says which checks each run selected; undefined if all runs selected the same checks. Without
 * this, a run of a few checks would look better than a run of all checks.
 */
export function describeSelections(runs: readonly SavedRun[]): string | undefined {
  const [first, ...others] = runs.filter(({ problem }) => problem === undefined)
  if (first === undefined || !others.some((other) => haveDifferentSelections(first, other)))
    return undefined
  const selections = [first, ...others].map(
    (run) => `${run.name}: ${selectionOf(run) || 'all checks'}`,
  )
  return `The runs selected different checks (${selections.join('; ')}). Each requirement is compared only between the runs that have it.`
}

/** Puts runs of different implementations side by side, in the order of the catalogue. */
export function matrixOf(runs: readonly SavedRun[]): Matrix {
  const verdicts = runs.flatMap((run) => run.verdicts)
  const titleOf = topicTitlesFor(verdicts)
  const requirementsInOrder = [
    ...new Map(verdicts.map((verdict) => [verdict.requirement as string, verdict])).entries(),
  ].sort(([one], [other]) => positionOf(one) - positionOf(other))
  const topics = (isOpen: boolean): MatrixTopic[] => {
    const found = new Map<string, MatrixRow[]>()
    for (const [requirement, { contract, topic, level, title }] of requirementsInOrder) {
      if ((level === 'open') !== isOpen) continue
      const cells = runs.map((run) =>
        cellOf(run.verdicts.filter((one) => one.requirement === requirement)),
      )
      const heading = titleOf(contract, topic)
      const row = {
        requirement,
        statement: statementOf(requirement) ?? title,
        level,
        cells,
        differs: haveDifferentResults(cells),
      }
      found.set(heading, [...(found.get(heading) ?? []), row])
    }
    return [...found].map(([title, rows]) => ({ title, rows }))
  }
  return { runs, required: topics(false), open: topics(true) }
}

const cellOf = (verdicts: readonly Verdict[]): MatrixCell => ({
  outcome: severity.find((outcome) => verdicts.some(({ verdict }) => verdict === outcome)),
  verdicts,
})

/** Compares the cells of the runs that have the requirement. */
function haveDifferentResults(cells: readonly MatrixCell[]): boolean {
  const results = cells
    .filter(({ outcome }) => outcome !== undefined)
    .map(({ outcome, verdicts }) =>
      [outcome, ...verdicts.map((verdict) => comparableObservations(verdict))].join('\n'),
    )
  return new Set(results).size > 1
}
