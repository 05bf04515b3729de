import type { Proof } from './figures.ts'
import type { FaultOutcome } from './outcome.ts'

/** For each fault, the violated requirements whose checks found it. */
export type KillMatrix = Record<string, string[]>

export function newKillMatrix({ faults, mutants }: Pick<Proof, 'faults' | 'mutants'>): KillMatrix {
  const cell = ({ violates, failedRequirements }: FaultOutcome) =>
    failedRequirements.filter((id) => violates.includes(id)).sort()
  return Object.fromEntries(
    [...faults, ...mutants].map((outcome) => [outcome.fault, cell(outcome)]),
  )
}

/**
 * Lists faults that are missing in the current matrix, or that the checks of a requirement no
 * longer find.
 */
export function listLowered(recorded: KillMatrix, current: KillMatrix): string[] {
  return Object.entries(recorded).flatMap(([fault, ids]) => {
    const found = current[fault]
    if (found === undefined) return [`${fault}: no longer tried`]
    const lost = ids.filter((id) => !found.includes(id))
    return lost.length === 0 ? [] : [`${fault}: no longer found by ${lost.join(', ')}`]
  })
}

/** One line for each fault, sorted, so that diffs are easy to read. */
export function formatKillMatrix(matrix: KillMatrix): string {
  const lines = Object.keys(matrix)
    .sort()
    .map((fault) => `  ${JSON.stringify(fault)}: ${JSON.stringify(matrix[fault])}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
