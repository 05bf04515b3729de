import { showHidden } from '../../../conformance/engine/index.ts'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { makeFolder } from '../../../conformance/report/report-file.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import { count } from '../../../conformance/report/explanation.ts'
import { annotateFailure } from '../../annotate.ts'
import { UsageError } from '../../print-error.ts'
import { contractNames } from '../../contracts.ts'
import { compare, type Comparison } from './compare.ts'

import { shellWord } from '../../../conformance/wire/shell.ts'
import { filesOf, strictnesses, type ContractFiles, type TypeStrictness } from './contract-files.ts'
import { defaultPackages, isPackageLanguage, languages, type Language } from './languages.ts'
import type { ToolChanges } from './tools/changes.ts'

/** The options as commander returns them. */
interface Options {
  out?: string
  contract?: string[]
  strictness?: string
  toolsFrom?: string
  header?: string[]
  name?: string
  lang: string
  package?: string
  check?: boolean
  force?: boolean
  json?: boolean
  http?: string
  sse?: string
  stdio?: string
}

type PartialOptions = Partial<Options>

/** Runs `touchstone types`: writes the files. With --check, exits with 1 if they differ. */
export async function run(options: PartialOptions): Promise<void> {
  refuseTransports(options)
  const { out } = options
  if (out === undefined)
    throw new UsageError('--out is missing: the folder to write to, as in --out src/contracts')

  const wanted = await wantedFiles(options)
  try {
    const found = merged(await Promise.all(wanted.map((files) => compare(out, files))))
    if (options.check === true)
      return printComparison(found, options, {
        repair: repairCommand({
          ...options,
          force: options.force === true || found.foreign.length > 0,
        }),
        changes: options.toolsFrom === undefined ? undefined : await changesOf(out, wanted, found),
      })
    if (found.foreign.length > 0 && options.force !== true) {
      throw new UsageError(
        `these files were not written by touchstone types: ${found.foreign.map((path) => join(out, path)).join(', ')}. Move them, choose another folder, or add --force`,
      )
    }
    await write(out, wanted, found)
    printWritten(found, options)
  } catch (error) {
    const { code, path } = error as { code?: string; path?: string }
    if (code === undefined || path === undefined) throw error
    throw new UsageError(
      `${path} cannot be read or written: ${whyUnwritable(error)}\nNext: choose another folder with --out.`,
    )
  }
}

/** Throws a `UsageError` that names --tools-from if a server is named as for lint-tools. */
function refuseTransports({ http, sse, stdio }: PartialOptions): void {
  const prefixes = { http: '', sse: 'sse:', stdio: 'stdio:' }
  for (const [name, address] of Object.entries({ http, sse, stdio }))
    if (address !== undefined)
      throw new UsageError(
        `--${name} is an option of lint-tools.\nNext: --tools-from ${shellWord(`${prefixes[name as keyof typeof prefixes]}${address}`)}`,
      )
}

/** Returns the files of the contracts, or the file for the tools of a server. */
async function wantedFiles(options: PartialOptions): Promise<ContractFiles[]> {
  const { contract, strictness = 'documented', toolsFrom: source, header, name } = options
  const language = await languageOf(options)
  if (!isStrictness(strictness))
    throw new UsageError(
      `--strictness cannot be ${strictness}.${await hint(strictness, strictnesses)} Known: ${strictnesses.join(', ')}`,
    )
  if (source === undefined) {
    if (header !== undefined || name !== undefined)
      throw new UsageError(`${header === undefined ? '--name' : '--header'} needs --tools-from`)
    const files: ContractFiles[] = []
    // quicktype is not reentrant.
    for (const one of await selectedContracts(contract))
      files.push(await filesOf(one, { language, strictness, package: options.package }))
    return files
  }
  if (contract !== undefined)
    throw new UsageError(
      '--contract and --tools-from exclude each other: run npx touchstone types twice',
    )
  if (language !== 'typescript')
    throw new UsageError(
      `--tools-from writes only TypeScript. Next: leave --lang ${language} out, or --tools-from.`,
    )
  if (strictness === 'stated')
    throw new UsageError(
      '--strictness applies to the contracts: the tools of a server have only the types that their schemas state. Next: leave it out.',
    )
  const { toolsFrom } = await import('./tools/source.ts')
  const { toolFiles } = await import('./tool-files.ts')
  const named = await toolsFrom(source, header, name)
  const files = await toolFiles(named)
  const [first] = files.skipped
  if (first !== undefined && files.skipped.length === named.tools.length)
    throw new UsageError(
      `${source}: no types can be written for any of its tools. The first is ${showHidden(first.tool)}: ${showHidden(first.reason)}.\nNext: npx touchstone lint-tools explains what is wrong with the definitions.`,
    )
  for (const { tool, reason } of files.skipped)
    process.stderr.write(`note: no types for ${showHidden(tool)}: ${showHidden(reason)}\n`)
  return [files]
}

async function selectedContracts(selected: readonly string[] = []): Promise<readonly string[]> {
  const contracts = contractNames()
  for (const name of selected)
    if (!contracts.includes(name))
      throw new UsageError(
        `there is no contract named ${name}.${await hint(name, contracts)} Known: ${contracts.join(', ')}`,
      )
  return selected.length === 0 ? contracts : [...new Set(selected)]
}

/** Returns the language, after it has examined the package, which only some languages have. */
async function languageOf({
  lang = 'typescript',
  package: name,
}: PartialOptions): Promise<Language> {
  if (!isLanguage(lang))
    throw new UsageError(
      `the language ${lang} is not supported.${await hint(lang, languages)} Known: ${languages.join(', ')}`,
    )
  if (name === undefined) return lang
  if (!isPackageLanguage(lang))
    throw new UsageError(
      `--package applies only to --lang ${Object.keys(defaultPackages).join(', ')}`,
    )
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name))
    throw new UsageError(
      `--package cannot be ${name}: it has names joined by dots, such as com.example.contracts`,
    )
  return lang
}

const isLanguage = (word: string): word is Language => languages.includes(word as Language)

const isStrictness = (word: string): word is TypeStrictness =>
  strictnesses.includes(word as TypeStrictness)

async function write(
  out: string,
  wanted: readonly ContractFiles[],
  found: Comparison,
): Promise<void> {
  const due = new Set([...found.missing, ...found.differ])
  for (const [path, text] of wanted.flatMap(({ files }) => [...files])) {
    if (!due.has(path)) continue
    makeFolder(dirname(join(out, path)))
    await writeFile(join(out, path), text)
  }
  for (const path of found.stale) await rm(join(out, path))
}

/** If a folder has more files than this, its files are counted, not listed. */
const maxListed = 6

/** Returns the paths, with one line for each folder with many files. */
function foldFolders(paths: readonly string[]): string[] {
  const folders = new Map<string, string[]>()
  for (const path of paths)
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path])
  return [...folders].flatMap(([folder, own]) =>
    own.length > maxListed ? [`${folder}${sep}  (${own.length} files)`] : own,
  )
}

function printWritten(
  { same, missing, differ, stale }: Comparison,
  { out = '', json }: PartialOptions,
): void {
  const written = [...missing, ...differ].sort()
  if (json === true)
    return printLine(JSON.stringify({ out, written, removed: stale, unchanged: same }))
  for (const line of foldFolders(written)) printLine(`wrote    ${join(out, line)}`)
  for (const line of foldFolders(stale))
    printLine(`removed  ${join(out, line)}, which the contract no longer has`)
  printLine(
    written.length + stale.length === 0
      ? same.length === 1
        ? `The file in ${out} was up to date.`
        : `All ${same.length} files in ${out} were up to date.`
      : `${written.length} written, ${stale.length} removed, ${same.length} unchanged in ${out}.`,
  )
}

function printComparison(
  { same, missing, differ, stale }: Comparison,
  { out = '', json }: PartialOptions,
  { repair, changes }: { repair: string; changes: ToolChanges | undefined },
): void {
  const bad = missing.length + differ.length + stale.length
  if (bad > 0) process.exitCode = 1
  if (json === true)
    return printLine(
      JSON.stringify({
        out,
        missing,
        differ,
        stale,
        unchanged: same,
        ...(changes === undefined ? {} : { tools: changes }),
        ...(bad === 0 ? {} : { repair }),
      }),
    )
  for (const [word, paths] of Object.entries({ missing, differs: differ, stale }))
    for (const line of foldFolders(paths)) printLine(`${word.padEnd(8)} ${join(out, line)}`)
  for (const [word, names] of Object.entries(changes ?? {}))
    for (const name of names as readonly string[])
      printLine(`  ${word.padEnd(8)} ${showHidden(name)}`)
  printLine(
    bad === 0
      ? same.length === 1
        ? `The file in ${out} is up to date.`
        : `All ${same.length} files in ${out} are up to date.`
      : `Bring them up to date with: ${repair}`,
  )
  if (bad > 0)
    annotateFailure(
      `types --check: ${count(bad, 'file')} in ${out} missing or out of date.\nNext: ${repair}`,
    )
}

/** Returns how the tools differ. Undefined if their file does not differ. */
async function changesOf(
  out: string,
  wanted: readonly ContractFiles[],
  { differ }: Comparison,
): Promise<ToolChanges | undefined> {
  const [path] = differ
  const after = wanted[0]?.files.get(path ?? '')
  if (path === undefined || typeof after !== 'string') return undefined
  const { toolChanges } = await import('./tools/changes.ts')
  return toolChanges(await readFile(join(out, path), 'utf8'), after)
}

function repairCommand({
  out = '',
  contract = [],
  strictness,
  toolsFrom,
  header = [],
  name,
  lang = 'typescript',
  package: packageName,
  force,
}: PartialOptions): string {
  return [
    'npx touchstone types --out',
    shellWord(out),
    ...(lang === 'typescript' ? [] : ['--lang', lang]),
    ...(packageName === undefined ? [] : ['--package', packageName]),
    ...contract.flatMap((one) => ['--contract', one]),
    ...(strictness === undefined ? [] : ['--strictness', strictness]),
    ...(toolsFrom === undefined ? [] : ['--tools-from', shellWord(toolsFrom)]),
    // The values of headers are secrets, so they are not printed.
    ...header.flatMap((one) => ['--header', `${shellWord(one.split('=')[0]!)}=…`]),
    ...(name === undefined ? [] : ['--name', shellWord(name)]),
    ...(force === true ? ['--force'] : []),
  ].join(' ')
}

function merged(found: readonly Comparison[]): Comparison {
  const all = (key: keyof Comparison) => found.flatMap((comparison) => comparison[key])
  return {
    same: all('same'),
    missing: all('missing'),
    differ: all('differ'),
    stale: all('stale'),
    foreign: all('foreign'),
  }
}

async function hint(word: string, contracts: readonly string[]): Promise<string> {
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const suggestion = nearest(word, contracts)
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
