import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

/**
 * Writes a file to a temporary folder that only its owner can read, and returns its path. The
 * folder is removed when the process exits.
 */
export function writeTemporaryFile(name: string, content: string): string {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-mock-'))
    process.once('exit', removeTemporaryFiles)
  }
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

/** Removes the folder now. Tests call this, because they run in threads, which do not exit. */
export function removeTemporaryFiles(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  folder = undefined
}
