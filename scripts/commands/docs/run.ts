import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../../conformance/report/report-file.ts'
import { nearest } from '../../../conformance/target-file/nearest.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import type { Contract } from '../../../generated/requirements/index.ts'
import { contractNames } from '../../contracts.ts'
import { UsageError } from '../../print-error.ts'
import { fileOf, indexFile } from './links.ts'
import { isWritten } from './page.ts'
import { sitePages } from './site.ts'

interface Options {
  out?: string
  contract?: string[]
  force?: boolean
  json?: boolean
}

/** How the folder differs from the pages. Contains the names of files. */
interface Changes {
  written: string[]
  removed: string[]
  unchanged: string[]
}

/** Runs `touchstone docs`. */
export async function run({ out, contract = [], force = false, json = false }: Options) {
  if (out === undefined)
    throw new UsageError('--out is missing: the folder to write to, as in --out contract-docs')
  const pages = await sitePages(selectContracts(contract))
  try {
    const changes = await write(out, pages, force)
    print(out, changes, json)
  } catch (error) {
    const { code, path } = error as { code?: string; path?: string }
    if (code === undefined || path === undefined) throw error
    throw new UsageError(
      `${path} cannot be read or written: ${whyUnwritable(error)}\nNext: choose another folder with --out.`,
    )
  }
}

/** Returns the named contracts in the order of the catalogue, by default all. */
function selectContracts(names: readonly string[]): readonly Contract[] {
  const known = contractNames()
  for (const name of names) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    throw new UsageError(
      `there is no contract named ${name}.${near === undefined ? '' : ` Did you mean ${near}?`} Known: ${known.join(', ')}`,
    )
  }
  return known.filter((name) => names.length === 0 || names.includes(name)) as Contract[]
}

/** Writes the pages that differ, and deletes pages of an earlier run for other contracts. */
async function write(
  out: string,
  pages: ReadonlyMap<string, string>,
  force: boolean,
): Promise<Changes> {
  const names = [indexFile, ...(contractNames() as Contract[]).map(fileOf)]
  const before = new Map(
    await Promise.all(names.map(async (name) => [name, await textAt(join(out, name))] as const)),
  )
  const differs = [...pages].filter(([name, text]) => before.get(name) !== text)
  const isForeign = (name: string) =>
    before.get(name) !== undefined && !isWritten(before.get(name)!)
  const foreign = differs.filter(([name]) => isForeign(name)).map(([name]) => join(out, name))
  if (foreign.length > 0 && !force)
    throw new UsageError(
      `these files were not written by touchstone docs: ${foreign.join(', ')}\nNext: move them, choose another folder with --out, or add --force.`,
    )
  makeFolder(out)
  for (const [name, text] of differs) await writeFile(join(out, name), text)
  const removed = names.filter(
    (name) => !pages.has(name) && before.get(name) !== undefined && !isForeign(name),
  )
  for (const name of removed) await rm(join(out, name))
  const written = differs.map(([name]) => name)
  return {
    written,
    removed,
    unchanged: [...pages.keys()].filter((name) => !written.includes(name)),
  }
}

/** Returns the content of a file. Undefined if it does not exist. */
async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function print(out: string, { written, removed, unchanged }: Changes, json: boolean): void {
  const open = join(out, indexFile)
  const lines = json
    ? [JSON.stringify({ out, open, written, removed, unchanged })]
    : [
        ...written.map((name) => `wrote    ${join(out, name)}`),
        ...removed.map((name) => `removed  ${join(out, name)}, which an earlier run wrote`),
        ...(written.length + removed.length === 0
          ? [`All ${unchanged.length} pages were up to date.`]
          : []),
        `Open ${open} in a browser.`,
      ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
