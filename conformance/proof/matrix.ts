import type { Proof } from './figures.ts'
import type { FaultOutcome } from './outcome.ts'

/** For each fault the violated rows that found it: the golden record of what the suite can see. */
export type KillMatrix = Record<string, string[]>

export function matrixOf({ faults, mutants }: Pick<Proof, 'faults' | 'mutants'>): KillMatrix {
  const cell = ({ violates, found }: FaultOutcome) =>
    found.filter((row) => violates.includes(row)).sort()
  return Object.fromEntries(
    [...faults, ...mutants].map((outcome) => [outcome.fault, cell(outcome)]),
  )
}

/** Cells that the new matrix lowers: faults that are gone, or that fewer of their rows find. */
export function lowered(golden: KillMatrix, now: KillMatrix): string[] {
  return Object.entries(golden).flatMap(([fault, rows]) => {
    const left = now[fault]
    if (left === undefined) return [`${fault}: no longer tried`]
    const lost = rows.filter((row) => !left.includes(row))
    return lost.length === 0 ? [] : [`${fault}: no longer found by ${lost.join(', ')}`]
  })
}

/** One line for each fault, sorted, so that a diff reads well. */
export function matrixText(matrix: KillMatrix): string {
  const lines = Object.keys(matrix)
    .sort()
    .map((fault) => `  ${JSON.stringify(fault)}: ${JSON.stringify(matrix[fault])}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
