import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { docComment, typeComment, validatorComment } from './doc-comments.ts'
import { notice, quote } from './output.ts'
import type { AnyJson } from './openapi.ts'
import { largestExamples, type SchemaValue } from './schema-examples.ts'
import { upOf, type Strictness } from './strictness.ts'

/** Merges the members of all parts, sorted by name. Throws if two members with one name differ. */
export function mergeMembers(parts: AnyJson[]): AnyJson {
  const all: AnyJson = {}
  for (const [name, member] of parts.flatMap((part) => Object.entries(part))) {
    if (name in all && JSON.stringify(all[name]) !== JSON.stringify(member))
      throw new Error(`Two different definitions are named ${name}`)
    all[name] = member
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns generated/<contract>/types.ts: the types that the documents declare. */
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
      // openapi-typescript would generate a type without members for an object without properties.
      return schema.type === 'object' && !schema.properties && !schema.additionalProperties
        ? object
        : undefined
    },
  })
  const declarations = astToString(nodes)
    .trimEnd()
    .replace(/^export (?:interface|type) (paths|components|operations)\b/gm, (line, name: string) =>
      [docComment(...documentation[name as keyof typeof documentation]), line].join('\n'),
    )
  return `// ${notice(from)}\n\n${declarations}\n`
}

const documentation = {
  paths: ['The operations of each path.', ['type Path = keyof paths']],
  components: [
    'The named schemas, parameters, request bodies and responses.',
    ["type SchemaName = keyof components['schemas']"],
  ],
  operations: [
    'The parameters, bodies and responses of each operation.',
    ['type OperationName = keyof operations'],
  ],
} satisfies Record<string, [text: string, example: string[]]>

function withoutExamples(node: any): any {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'examples' && key !== 'example')
      .map(([key, member]) => [key, withoutExamples(member)]),
  )
}

/**
 * Returns generated/<contract>/index.ts: the types of the schemas, then `more`, then their
 * validators. `values` are the examples of the contract, from which each type's doc comment gets
 * one.
 */
export function indexModule(
  from: string,
  schemas: { [name: string]: AnyJson },
  values: readonly SchemaValue[],
  { strictness, more = '' }: { strictness: Strictness; more?: string },
): string {
  const contract = `${upOf(strictness)}contract.ts`
  const names = Object.keys(schemas)
  const examples = largestExamples(schemas, values)
  const types = names.map(
    (name) =>
      `${typeComment(name, schemas, examples.get(name))}
export type ${name} = Schemas[${quote(name)}]
`,
  )
  const validators = names.map(
    (name) =>
      `${validatorComment(name)}
export const validate${name}: Validator<${name}> = validators.validate${name} as never
`,
  )
  return `// ${notice(from)}
import type { Validator } from ${quote(contract)}
import type { components } from './types.ts'
import * as validators from './validators.ts'

export type { ValidationError, Validator } from ${quote(contract)}
export type { components, operations, paths } from './types.ts'

type Schemas = components['schemas']

${types.join('\n')}${more}
${validators.join('\n')}`
}
