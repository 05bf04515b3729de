import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { UsageError } from '../../print-error.ts'
import { formatOf, formats } from './compare.ts'

/** Two versions of a file. One is undefined if the other folder has no file with this name. */
export interface VersionPair {
  readonly name: string
  readonly older: string | undefined
  readonly newer: string | undefined
}

/**
 * Returns the files to compare: the two files, or those of two folders, paired by their path in the
 * folder. Throws a `UsageError` if a path does not exist, or if a folder has no contracts.
 */
export function pairFiles(older: string, newer: string): VersionPair[] {
  const areFolders = [older, newer].map((path) => {
    if (!existsSync(path))
      throw new UsageError(`${path} does not exist.\nNext: name two files, or two folders.`)
    return statSync(path).isDirectory()
  })
  if (areFolders[0] !== areFolders[1])
    throw new UsageError(
      `${older} is a ${areFolders[0] ? 'folder' : 'file'}, and ${newer} is a ${areFolders[1] ? 'folder' : 'file'}.\nNext: name two files, or two folders.`,
    )
  if (!areFolders[0]) return [{ name: newer, older, newer }]
  const [before, after] = [contractsIn(older), contractsIn(newer)]
  return [...new Set([...before, ...after])].sort().map((name) => ({
    name,
    older: before.includes(name) ? join(older, name) : undefined,
    newer: after.includes(name) ? join(newer, name) : undefined,
  }))
}

function contractsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|ya?ml|proto)$/.test(name))
    .filter((name) => !name.split(sep).includes('node_modules'))
    .filter((name) => statSync(join(folder, name)).isFile() && formatOf(join(folder, name)))
    .map((name) => name.replaceAll(sep, '/'))
  if (names.length === 0)
    throw new UsageError(`${folder} contains no contract.\nNext: name a folder with ${formats}.`)
  return names
}
