import type { Running } from '../../../mocks/registry.ts'
import { writeTemporaryFile } from './temporary-files.ts'

/** Returns the target that describes the mocks, for `touchstone test`. */
export function targetOf(started: ReadonlyMap<string, Running>): Record<string, object> {
  return Object.fromEntries(
    [...started].flatMap(([name, { target }]) => (target === undefined ? [] : [[name, target]])),
  )
}

/**
 * Writes a temporary target file. Returns its path; undefined if `touchstone test` can test none of
 * the mocks.
 */
export function writeTargetFile(started: ReadonlyMap<string, Running>): string | undefined {
  const target = targetOf(started)
  if (Object.keys(target).length === 0) return undefined
  return writeTemporaryFile('target.json', `${JSON.stringify(target, null, 2)}\n`)
}
