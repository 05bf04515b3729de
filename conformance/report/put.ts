import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder and those above it. Node's own recursive mkdir never returns below /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

/** Writes a file and the folders above it; returns its path. */
export function put(path: string, text: string): string {
  makeFolder(dirname(path))
  writeFileSync(path, text)
  return path
}
