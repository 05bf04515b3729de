import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { marker, type Content, type ContractFiles } from './contract-files.ts'

/** How a folder differs from the files of a contract. All paths are relative to the folder. */
export interface Comparison {
  same: string[]
  missing: string[]
  differ: string[]
  /** Files that this command wrote, but that no longer belong to the contract. */
  stale: string[]
  /** The files in `differ` that this command did not write. */
  foreign: string[]
}

/** Compares a folder with the files of a contract. */
export async function compare(out: string, { files, folder }: ContractFiles): Promise<Comparison> {
  const found: Comparison = { same: [], missing: [], differ: [], stale: [], foreign: [] }
  for (const [path, wanted] of files) {
    const there = await contentAt(join(out, path), wanted)
    if (there === undefined) found.missing.push(path)
    else if (Buffer.from(there).equals(Buffer.from(wanted))) found.same.push(path)
    else {
      found.differ.push(path)
      if (!isOurs(there)) found.foreign.push(path)
    }
  }
  for (const path of await othersIn(out, files, folder))
    if (isOurs((await textAt(join(out, path))) ?? '')) found.stale.push(path)
  return found
}

/**
 * Returns the other files in the folder of a contract that have an extension of its files. Files
 * with another extension can be those of another language.
 */
async function othersIn(
  out: string,
  files: ContractFiles['files'],
  folder: string | undefined,
): Promise<string[]> {
  if (folder === undefined) return []
  const extensions = new Set([...files.keys()].map((path) => extname(path)))
  const present = await readdir(join(out, folder)).catch(() => [])
  return present
    .map((name) => `${folder}/${name}`)
    .filter((path) => !files.has(path) && extensions.has(extname(path)))
}

/**
 * Whether this command wrote a file. Binary files have no marker, but this command owns their
 * folder.
 */
function isOurs(there: Content): boolean {
  return typeof there !== 'string' || there.slice(0, there.indexOf('\n') + 1).includes(marker)
}

async function contentAt(path: string, wanted: Content): Promise<Content | undefined> {
  return typeof wanted === 'string' ? await textAt(path) : await readFile(path).catch(absent)
}

/**
 * Returns the content of a file with normalized line ends, which Git may have changed. Undefined if
 * the file does not exist.
 */
async function textAt(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  } catch (error) {
    return absent(error)
  }
}

function absent(error: unknown): string | undefined {
  const { code } = error as { code?: string }
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
  // If a folder has the name of the file, the empty string represents a file that this command did
  // not write.
  if (code === 'EISDIR') return ''
  throw error
}
