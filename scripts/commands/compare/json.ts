import { printableJson } from '../../../conformance/engine/index.ts'
import {
  changeGroups,
  type Change,
  type RunComparison,
} from '../../../conformance/compare/changes.ts'
import type { Matrix, MatrixTopic } from '../../../conformance/compare/matrix.ts'
import type { SavedRun } from '../../../conformance/compare/saved-run.ts'
import { briefOf } from '../../../conformance/report/explanation.ts'

/**
 * A comparison of two runs as JSON. `groups` has a list for each kind of change. In a change,
 * `before` and `after` are outcomes; one is missing if that run does not have the check.
 */
export function comparisonAsJson({
  before,
  after,
  strict,
  groups,
  unchanged,
  notCompared,
  regressions,
  exit,
}: RunComparison): string {
  return format({
    before: runAsJson(before),
    after: runAsJson(after),
    strict,
    exit,
    regressions,
    unchanged,
    notCompared,
    groups: Object.fromEntries(
      changeGroups.map((group) => [group, groups[group].map(changeAsJson)]),
    ),
  })
}

function changeAsJson({ before, after }: Change): Record<string, unknown> {
  const { key, requirement, title, level, contract, topic } = (after ?? before)!
  const reason = after === undefined ? '' : briefOf(after)
  return {
    key,
    requirement,
    title,
    level,
    contract,
    topic,
    before: before?.verdict,
    after: after?.verdict,
    reason: reason === '' ? undefined : reason,
    observationsBefore: before?.observations,
    observationsAfter: after?.observations,
  }
}

/** Several implementations as JSON: for each requirement, one result for each implementation. */
export function matrixAsJson({ runs, required, open }: Matrix): string {
  return format({
    implementations: runs.map(runAsJson),
    requirements: [...required, ...open].flatMap((topic) => requirementsAsJson(topic)),
  })
}

const requirementsAsJson = ({ title, rows }: MatrixTopic): Record<string, unknown>[] =>
  rows.map(({ requirement, statement, level, differs, cells }) => ({
    requirement,
    statement,
    level,
    topic: title,
    differs,
    // Null if the run does not have the requirement.
    results: cells.map(({ outcome, verdicts }) =>
      outcome === undefined
        ? null
        : { outcome, observations: verdicts.flatMap(({ observations = [] }) => observations) },
    ),
  }))

const runAsJson = ({
  name,
  suite,
  startedAt,
  exit,
  selected,
  skipped,
  verdicts,
  problem,
}: SavedRun) => ({
  name,
  suite,
  startedAt,
  exit,
  selected,
  skipped,
  checks: verdicts.length,
  problem,
})

const format = (value: unknown): string => `${printableJson(value, 2)}\n`
