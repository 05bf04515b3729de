import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../package.ts'
import type { Language } from './languages.ts'

/** Part of the first line of every file that this command writes. */
export const marker = 'Written by `touchstone types`'

/** The file of descriptors. Only contracts in Protocol Buffers have it. */
const descriptor = 'descriptor.binpb'

/** The files of a contract. All paths are relative to the output folder. */
export interface ContractFiles {
  files: Map<string, Content>
  /**
   * A folder whose files with the same extensions belong to no other contract. Undefined if the
   * contract has only one file.
   */
  folder: string | undefined
}

/** A string, or the bytes of a binary file. */
export type Content = string | Uint8Array

/**
 * How much the types require: what the document states, or also what it implies by a name, a table
 * or an example.
 */
export const strictnesses = ['documented', 'stated'] as const
export type TypeStrictness = (typeof strictnesses)[number]

/** What is written for each contract. */
export interface TypeOptions {
  language: Language
  strictness: TypeStrictness
  /** The package that contains those of the contracts, in languages that have one. */
  package: string | undefined
}

/** Returns the files of a contract, from the generated files of this package. */
export async function filesOf(contract: string, options: TypeOptions): Promise<ContractFiles> {
  const { language, strictness } = options
  const stated = join(packageRoot(), 'generated', contract)
  // Protocol Buffers state every type, and their compiler writes the code of other languages.
  if (existsSync(join(stated, descriptor))) return withProto(contract, stated, language)
  const source = strictness === 'stated' ? stated : join(stated, 'documented')
  if (language !== 'typescript' && language !== 'json-schema') {
    const { codeFiles } = await import('./code/files.ts')
    return codeFiles(contract, await schemasIn(source), {
      language,
      package: options.package,
      notice: noticeOf(contract),
    })
  }
  const schemas = await withSchemas(contract, source)
  if (language === 'typescript')
    schemas.files.set(`${contract}.ts`, await typesOf(contract, source))
  return schemas
}

async function withSchemas(contract: string, source: string): Promise<ContractFiles> {
  const folder = `schemas/${contract}`
  const schemas = [...(await schemasIn(source))].map(
    ([title, text]) => [`${folder}/${title}.json`, marked(contract, text)] as const,
  )
  return { files: new Map<string, Content>(schemas), folder }
}

/** Returns the JSON Schemas of a contract, by title. */
async function schemasIn(source: string): Promise<Map<string, string>> {
  const names = (await readdir(join(source, 'schemas'))).filter((file) => file.endsWith('.json'))
  const read = async (name: string) =>
    [name.replace(/\.json$/, ''), await readFile(join(source, 'schemas', name), 'utf8')] as const
  return new Map(await Promise.all(names.sort().map(read)))
}

/**
 * Returns the files of a contract in Protocol Buffers: types, the source for compilers, and
 * descriptors for programs that have no compiler.
 */
async function withProto(
  contract: string,
  source: string,
  language: Language,
): Promise<ContractFiles> {
  const folder = `schemas/${contract}`
  const types = withoutNotice(await readFile(join(source, 'types.ts'), 'utf8'))
  const proto = await readFile(
    join(packageRoot(), 'specs/proto/examples', `${contract}.proto`),
    'utf8',
  )
  const files = new Map<string, Content>([
    [`${folder}/${contract}.proto`, `// ${noticeOf(contract)}\n${withoutNotice(proto)}`],
    [`${folder}/${descriptor}`, await readFile(join(source, descriptor))],
  ])
  if (language === 'typescript')
    files.set(`${contract}.ts`, `// ${noticeOf(contract)}\n\n${types.trim()}\n`)
  return { files, folder }
}

/**
 * Returns a module with the types of the documents, followed by the short names that this package
 * exports for them.
 */
async function typesOf(contract: string, source: string): Promise<string> {
  const types = withoutNotice(await readFile(join(source, 'types.ts'), 'utf8'))
  const index = withoutNotice(await readFile(join(source, 'index.ts'), 'utf8'))
  // Takes the part of the index that needs no other modules: everything before the first
  // validator's doc comment.
  const names = (index.split(/^(?:\/\*\*\n(?: \*.*\n)+)?export const /m)[0] ?? '').replaceAll(
    /^(import|export type \{|export \{|export \*).*\n/gm,
    '',
  )
  return `// ${noticeOf(contract)}\n\n${types.trim()}\n\n${names.trim()}\n`
}

function marked(contract: string, schema: string): string {
  // Replaces the notice of this package in `$comment`, which stays the first key.
  const json = JSON.stringify(
    { ...(JSON.parse(schema) as object), $comment: noticeOf(contract) },
    null,
    2,
  )
  return `${json.replace(/^\{\n {2}/, '{ ')}\n`
}

function noticeOf(contract: string): string {
  return `${marker} from the contract ${contract} ${versionOf(contract)}. Do not edit: run it again.`
}

/** Returns the version of a contract. */
function versionOf(contract: string): string {
  const file = join(packageRoot(), 'specs/versions.json')
  const versions = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const version = versions[contract]
  if (version === undefined) throw new Error(`${file} has no version of ${contract}`)
  return version
}

function withoutNotice(text: string): string {
  return text.replace(/^\/\/ .*\n/, '')
}
