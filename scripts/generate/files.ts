import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCatalogues, requirementsModule, requirementsPage } from './catalogue.ts'
import { generatedMark, notice } from './output.ts'
import { root } from './source.ts'
import { generateAuth } from './auth.ts'
import { bundledFiles } from './bundled.ts'
import { generateEvents } from './events.ts'
import { generateGreeting } from './greeting.ts'
import { generateHooks } from './hooks.ts'
import { generateImages } from './images.ts'
import { generateTools } from './tools.ts'

/** A string, or bytes for a binary file. */
type Content = string | Uint8Array
export type Files = Map<string, Content>

/** Generates all files from specs/, in memory. The keys are paths below generated/. */
export async function generate(): Promise<Files> {
  const catalogues = readCatalogues()
  const contract = 'scripts/generate/runtime/contract.ts'
  return new Map<string, Content>([
    ['REQUIREMENTS.md', requirementsPage(catalogues)],
    ['requirements/index.ts', requirementsModule(catalogues)],
    [
      'contract.ts',
      `// ${notice(contract)}\n${readFileSync(join(root, contract), 'utf8').replace('../../../generated/', './')}`,
    ],
    ...(await generateImages()),
    ...(await generateHooks()),
    ...(await generateEvents()),
    ...(await generateGreeting()),
    ...(await generateTools()),
    ...(await generateAuth()),
  ])
}

/** A folder with generated files only. Its path is relative to the root of the project. */
export interface GeneratedFolder {
  folder: string
  files: Files
}

/** Generates the files of all folders, in memory. */
export async function generateFolders(): Promise<GeneratedFolder[]> {
  return [
    { folder: 'generated', files: await generate() },
    { folder: 'specs/bundled', files: bundledFiles() },
  ]
}

/**
 * Writes the files that have changed, and removes files that are no longer generated. Files to
 * remove are recognized by the notice in their first line, so binary files are not removed. Returns
 * the names of the files that were written or removed.
 */
export function write(files: Files, folder: string): string[] {
  const stale = listFiles(folder).filter(
    (file) =>
      !files.has(file) &&
      readFileSync(join(folder, file), 'utf8').split('\n', 1)[0]!.includes(generatedMark),
  )
  for (const file of stale) rmSync(join(folder, file))
  const changed = [...files].filter(
    ([file, content]) =>
      !existsSync(join(folder, file)) || !hasContent(join(folder, file), content),
  )
  for (const [file, content] of changed) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return [...stale, ...changed.map(([file]) => file)]
}

/** Describes how a folder differs from the generated files, with one sentence per file. */
export function drift(files: Files, folder: string): string[] {
  const existing = new Set(listFiles(folder))
  return [
    ...[...files.keys()].filter((file) => !existing.has(file)).map((file) => `${file} is missing`),
    ...[...existing]
      .filter((file) => !files.has(file))
      .map((file) => `${file} is not a generated file`),
    ...[...files]
      .filter(([file, content]) => existing.has(file) && !hasContent(join(folder, file), content))
      .map(([file]) => `${file} is out of date`),
  ]
}

const hasContent = (path: string, content: Content) =>
  readFileSync(path).equals(Buffer.from(content))

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}
