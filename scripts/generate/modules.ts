import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { notice, quote } from './output.ts'
import type { AnyJson } from './openapi.ts'

/** Merges the members of all parts, sorted by name. Members of the same name must be equal. */
export function mergeMembers(parts: AnyJson[]): AnyJson {
  const all: AnyJson = {}
  for (const [name, member] of parts.flatMap((part) => Object.entries(part))) {
    if (name in all && JSON.stringify(all[name]) !== JSON.stringify(member))
      throw new Error(`Two different definitions are named ${name}`)
    all[name] = member
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** generated/<contract>/types.ts: the types that the documents declare. */
export async function typesModule(
  title: string,
  from: string,
  documents: AnyJson[],
): Promise<string> {
  const document: AnyJson = {
    openapi: '3.1.0',
    info: { title, version: '1.0.0' },
    paths: mergeMembers(documents.map(({ paths = {} }) => paths as AnyJson)),
    components: Object.fromEntries(
      ['schemas', 'parameters', 'requestBodies', 'responses'].map((section) => [
        section,
        mergeMembers(documents.map(({ components }) => (components[section] ?? {}) as AnyJson)),
      ]),
    ),
  }
  const { factory, SyntaxKind } = ts
  const bytes = factory.createTypeReferenceNode('Blob')
  const object = factory.createTypeReferenceNode('Record', [
    factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
    factory.createKeywordTypeNode(SyntaxKind.UnknownKeyword),
  ])
  const nodes = await openapiTS(withoutExamples(document) as never, {
    silent: true,
    defaultNonNullable: false,
    transform: (schema: AnyJson) => {
      if (schema.format === 'binary') return bytes
      // By default, the type of an object without properties allows no members.
      return schema.type === 'object' && !schema.properties ? object : undefined
    },
  })
  return `// ${notice(from)}\n\n${astToString(nodes).trimEnd()}\n`
}

function withoutExamples(node: any): any {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'examples' && key !== 'example')
      .map(([key, member]) => [key, withoutExamples(member)]),
  )
}

/** generated/<contract>/index.ts: a type and a validator per schema, with `more` in between. */
export function indexModule(from: string, names: readonly string[], more = ''): string {
  return `// ${notice(from)}
import type { Validator } from '../contract.ts'
import type { components } from './types.ts'
import * as validators from './validators.ts'

export type { ValidationError, Validator } from '../contract.ts'
export type { components, operations, paths } from './types.ts'

type Schemas = components['schemas']

${names.map((name) => `export type ${name} = Schemas[${quote(name)}]`).join('\n')}
${more}
${names.map((name) => `export const validate${name}: Validator<${name}> = validators.validate${name} as never`).join('\n')}
`
}
