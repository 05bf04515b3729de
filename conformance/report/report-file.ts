import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. Node's recursive mkdir is not used, because it never returns
 * for a path below /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another run may have created the folder in the meantime.
    if (!existsSync(path)) throw error
  }
}

/** Writes a file, and creates its folders. Returns its path. */
export function writeReportFile(path: string, text: string): string {
  makeFolder(dirname(path))
  writeFileSync(path, text)
  return path
}
