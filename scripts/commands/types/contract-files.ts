import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../package.ts'

/** Part of the first line of every file that this command writes. */
export const marker = 'Written by `touchstone types`'

/** The file of descriptors. Only contracts in Protocol Buffers have it. */
const descriptor = 'descriptor.binpb'

/**
 * The files of a contract, by path below the output folder. `folder` contains no files of other
 * contracts.
 */
export interface ContractFiles {
  files: Map<string, Content>
  folder: string
}

/** A string, or the bytes of a binary file. */
export type Content = string | Uint8Array

/**
 * How much the types require: what the document states, or also what it implies by a name, a table
 * or an example.
 */
export const strictnesses = ['documented', 'stated'] as const
export type TypeStrictness = (typeof strictnesses)[number]

/** Returns the files of a contract, from the generated files of this package. */
export async function filesOf(
  contract: string,
  strictness: TypeStrictness,
): Promise<ContractFiles> {
  const stated = join(packageRoot(), 'generated', contract)
  // Protocol Buffers state every type.
  if (existsSync(join(stated, descriptor))) return withProto(contract, stated)
  return withSchemas(contract, strictness === 'stated' ? stated : join(stated, 'documented'))
}

async function withSchemas(contract: string, source: string): Promise<ContractFiles> {
  const files = new Map<string, Content>([[`${contract}.ts`, await typesOf(contract, source)]])
  const folder = `schemas/${contract}`
  for (const name of (await readdir(join(source, 'schemas')))
    .filter((file) => file.endsWith('.json'))
    .sort()) {
    files.set(
      `${folder}/${name}`,
      marked(contract, await readFile(join(source, 'schemas', name), 'utf8')),
    )
  }
  return { files, folder }
}

/**
 * Returns the files of a contract in Protocol Buffers: types, the source for compilers, and
 * descriptors for programs that have no compiler.
 */
async function withProto(contract: string, source: string): Promise<ContractFiles> {
  const folder = `schemas/${contract}`
  const types = withoutNotice(await readFile(join(source, 'types.ts'), 'utf8'))
  const proto = await readFile(
    join(packageRoot(), 'specs/proto/examples', `${contract}.proto`),
    'utf8',
  )
  return {
    files: new Map<string, Content>([
      [`${contract}.ts`, `// ${sentence(contract)}\n\n${types.trim()}\n`],
      [`${folder}/${contract}.proto`, `// ${sentence(contract)}\n${withoutNotice(proto)}`],
      [`${folder}/${descriptor}`, await readFile(join(source, descriptor))],
    ]),
    folder,
  }
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
  return `// ${sentence(contract)}\n\n${types.trim()}\n\n${names.trim()}\n`
}

function marked(contract: string, schema: string): string {
  // Replaces the notice of this package in `$comment`, which stays the first key.
  const json = JSON.stringify(
    { ...(JSON.parse(schema) as object), $comment: sentence(contract) },
    null,
    2,
  )
  return `${json.replace(/^\{\n {2}/, '{ ')}\n`
}

function sentence(contract: string): string {
  return `${marker} from the contract ${contract}. Do not edit: run it again.`
}

function withoutNotice(text: string): string {
  return text.replace(/^\/\/ .*\n/, '')
}
