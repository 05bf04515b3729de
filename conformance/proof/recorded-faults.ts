import { requirements } from '../../generated/requirements/index.ts'
import type { RecordedFaults } from '../recorded-faults.ts'
import type { Family } from './family.ts'
import type { KillMatrix } from './matrix.ts'

/** Lists the faults of the matrix by requirement, in the order of the catalogue. */
export function recordFaults(
  matrix: KillMatrix,
  families: readonly Pick<Family, 'faults' | 'mutants'>[],
): RecordedFaults {
  const recorded: RecordedFaults = Object.fromEntries(
    Object.keys(requirements).map((id) => [id, { written: {}, generated: [] }]),
  )
  for (const { faults, mutants } of families) {
    for (const { name, description } of faults)
      for (const id of matrix[name] ?? []) recorded[id]!.written[name] = description
    for (const { name } of mutants)
      for (const id of matrix[name] ?? []) recorded[id]!.generated.push(name)
  }
  return Object.fromEntries(
    Object.entries(recorded).filter(
      ([, { written, generated }]) => Object.keys(written).length + generated.length > 0,
    ),
  )
}

/** One line for each fault, so that diffs are easy to read. */
export const formatFaults = (recorded: RecordedFaults): string =>
  `${JSON.stringify(recorded, null, 1)}\n`
