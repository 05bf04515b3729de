import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../package.ts'

/** What stands in the first line of every file that this command wrote. */
export const marker = 'Written by `touchstone types`'

/** What is generated of a contract in Protocol Buffers, and of no other. */
const descriptor = 'descriptor.binpb'

/** Where a contract's files go, below the folder that the user names, and the folder that is theirs alone. */
export interface ContractFiles {
  files: Map<string, Content>
  folder: string
}

/** Text, or bytes for what is no text. */
export type Content = string | Uint8Array

/** Makes the files of a contract from what is generated in this package. */
export async function filesOf(contract: string): Promise<ContractFiles> {
  const source = join(packageRoot(), 'generated', contract)
  return existsSync(join(source, descriptor))
    ? await withProto(contract, source)
    : await withSchemas(contract, source)
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

/** A contract in Protocol Buffers: beside the types its source, for compilers, and its descriptors, for tools that have none. */
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

/** One module of types alone: those of the documents, then the short names that this package itself exports. */
async function typesOf(contract: string, source: string): Promise<string> {
  const types = withoutNotice(await readFile(join(source, 'types.ts'), 'utf8'))
  const index = withoutNotice(await readFile(join(source, 'index.ts'), 'utf8'))
  // Of the index only what needs no other module: what follows the types are validators.
  const names = (index.split(/^export const /m)[0] ?? '').replaceAll(
    /^(import|export type \{|export \{|export \*).*\n/gm,
    '',
  )
  return `// ${sentence(contract)}\n\n${types.trim()}\n\n${names.trim()}\n`
}

function marked(contract: string, schema: string): string {
  // The notice of this package stands first, and a key that is given anew keeps its place.
  const json = JSON.stringify(
    { ...(JSON.parse(schema) as object), $comment: sentence(contract) },
    null,
    2,
  )
  return `${json.replace(/^\{\n {2}/, '{ ')}\n`
}

function sentence(contract: string): string {
  return `${marker} from the contract ${contract}. Not edited by hand: run it again.`
}

function withoutNotice(text: string): string {
  return text.replace(/^\/\/ .*\n/, '')
}
