import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marker, type ContractFiles } from './contract-files.ts'

/** How a folder stands to the files that belong there; paths are relative to it. */
export interface Comparison {
  same: string[]
  missing: string[]
  differ: string[]
  /** Written by this command once, and part of the contract no more. */
  stale: string[]
  /** Those of `differ` that somebody else wrote. */
  foreign: string[]
}

/** Compares a folder with the files of a contract. */
export async function compare(out: string, { files, folder }: ContractFiles): Promise<Comparison> {
  const found: Comparison = { same: [], missing: [], differ: [], stale: [], foreign: [] }
  for (const [path, wanted] of files) {
    const text = await textAt(join(out, path))
    if (text === undefined) found.missing.push(path)
    else if (text === wanted) found.same.push(path)
    else found.differ.push(path)
    if (text !== undefined && text !== wanted && !isOurs(text)) found.foreign.push(path)
  }
  const present = await readdir(join(out, folder)).catch(() => [])
  for (const path of present.map((name) => `${folder}/${name}`).filter((path) => !files.has(path))) {
    if (isOurs(await textAt(join(out, path)) ?? '')) found.stale.push(path)
  }
  return found
}

function isOurs(text: string): boolean { return text.slice(0, text.indexOf('\n') + 1).includes(marker) }

/** Line ends are git's affair and no difference. */
async function textAt(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    // A folder in the place of a file is in the way, and not ours.
    if (code === 'EISDIR') return ''
    throw error
  }
}
