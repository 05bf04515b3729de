import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '../../../mocks/registry.ts'

/** Returns the target that describes the mocks, for `touchstone test`. */
export function targetOf(started: ReadonlyMap<string, Running>): Record<string, object> {
  return Object.fromEntries(
    [...started].flatMap(([name, { target }]) => (target === undefined ? [] : [[name, target]])),
  )
}

/**
 * Writes a target file to a temporary folder that only its owner can read. Returns its path;
 * undefined if `touchstone test` can test none of the mocks. The file is removed when the process
 * exits.
 */
export function writeTargetFile(started: ReadonlyMap<string, Running>): string | undefined {
  const target = targetOf(started)
  if (Object.keys(target).length === 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-mock-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'target.json')
  writeFileSync(file, `${JSON.stringify(target, null, 2)}\n`, { mode: 0o600 })
  return file
}
