import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './source.ts'
import { indexModule, typesModule } from './modules.ts'
import type { AnyJson } from './openapi.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/json-schema/tools/'

/** Reads the schemas of the tool servers, by name. */
export function readToolSchemas(folder = join(root, from)): { [name: string]: AnyJson } {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
  return Object.fromEntries(
    files.map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as AnyJson,
    ]),
  )
}

/** The files generated from the JSON Schemas of the tool servers. */
export async function generateTools(): Promise<[file: string, text: string][]> {
  const files = readToolSchemas()
  // The files refer to each other; the generators expect components of a single document.
  const schemas = Object.fromEntries(
    Object.entries(files).map(([name, { $schema: _, $id: __, ...schema }]) => [
      name,
      toComponentReferences(schema),
    ]),
  ) as { [name: string]: AnyJson }
  const names = Object.keys(schemas)
  return [
    [
      'tools/types.ts',
      await typesModule('Tools', from, [{ components: { schemas: withoutConditions(schemas) } }]),
    ],
    ['tools/index.ts', indexModule(from, schemas, [], pageType)],
    ['tools/validators.ts', validatorsModule('tools', from, schemas)],
    ...names.map((name): [string, string] => [
      `tools/schemas/${name}.json`,
      schemaFile('tools', from, name, schemas),
    ]),
  ]
}

const pageType = `
/**
 * A page of a list, with its items under the given name.
 *
 * @example
 * type BookPage = Page<'books', { id: string; title: string }>
 */
export type Page<Name extends string, Item> = PaginationResult & { [Key in Name]: Item[] } & Partial<Truncation>
`

function toComponentReferences(node: any): any {
  if (Array.isArray(node)) return node.map(toComponentReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? `#/components/schemas/${basename(member, '.json')}`
        : toComponentReferences(member),
    ]),
  )
}

/** Removes conditions and dependencies between members, which types cannot express. */
function withoutConditions(node: any, inProperties = false): any {
  if (Array.isArray(node)) return node.map((member) => withoutConditions(member))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).filter(
    ([key, member]) =>
      inProperties ||
      (!conditions.includes(key) &&
        !(key === 'anyOf' && isAnyOfRequiredMembers(member)) &&
        !(key === 'allOf' && isConditional(member))),
  )
  return Object.fromEntries(
    members.map(([key, member]) => [
      key,
      withoutConditions(member, !inProperties && key === 'properties'),
    ]),
  )
}

const conditions = ['if', 'then', 'else', 'not']
const isAnyOfRequiredMembers = (member: unknown) =>
  Array.isArray(member) && member.every((part) => 'required' in part)
const isConditional = (member: unknown) =>
  Array.isArray(member) && member.every((part) => 'if' in part)
