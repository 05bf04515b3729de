import { resolve, type AnyJson, type Schema } from './openapi.ts'
import type { Field } from './runtime/contract.ts'

type Draft = { -readonly [Key in keyof Omit<Field, 'requirement'>]: Field[Key] } & {
  requirement?: string
}

const structure = new Set([
  'properties',
  'items',
  'required',
  'allOf',
  '$ref',
  'title',
  'description',
  'examples',
  'example',
  'default',
])
const unknown = [
  'oneOf',
  'anyOf',
  'not',
  'if',
  'patternProperties',
  'prefixItems',
  'additionalProperties',
  'dependentSchemas',
  'contains',
]

/** Each place of a body of which the schema says something, with the rows that it rests on. Outer places come first. */
export function fieldsOf(document: AnyJson, schema: Schema): Field[] {
  const drafts = new Map<string, Draft>()
  visit(document, schema, '', true, drafts)
  return [...drafts.values()].map((draft) => {
    const requirement = draft.requirement ?? ancestor(drafts, draft.path)
    if (!requirement) throw new Error(`No x-requirement at or above ${draft.path || 'the body'}`)
    return { ...draft, requirement, expected: draft.expected || words(draft.schema) } as Field
  })
}

function visit(
  document: AnyJson,
  given: Schema,
  path: string,
  required: boolean,
  drafts: Map<string, Draft>,
): void {
  const schema = resolve(document, given)
  const forbidden = unknown.find((keyword) => keyword in schema)
  if (forbidden)
    throw new Error(
      `${forbidden} at ${path || 'the body'}: fields of such a schema cannot be listed`,
    )

  const draft: Draft = drafts.get(path) ?? { path, required, expected: '', schema: {} }
  drafts.set(path, draft)
  draft.required ||= required
  draft.requirement ??= schema['x-requirement']
  if (schema['x-requirement-presence']) draft.presence ??= schema['x-requirement-presence']
  if (schema['x-requirement-value']) draft.value ??= schema['x-requirement-value']
  draft.expected ||= schema['x-expected'] ?? ''
  for (const [keyword, value] of Object.entries(schema)) {
    if (structure.has(keyword) || keyword.startsWith('x-')) continue
    const known = (draft.schema as AnyJson)[keyword]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value))
      throw new Error(`Two values of ${keyword} at ${path || 'the body'}`)
    ;(draft.schema as AnyJson)[keyword] = value
  }
  for (const part of schema.allOf ?? []) visit(document, part, path, required, drafts)
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member === 'boolean') continue
    visit(
      document,
      member,
      `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      schema.required?.includes(name) ?? false,
      drafts,
    )
  }
  if (schema.items) visit(document, schema.items, path + '/*', false, drafts)
}

function ancestor(drafts: Map<string, Draft>, path: string): string | undefined {
  if (!path) return undefined
  const above = path.slice(0, path.lastIndexOf('/'))
  return drafts.get(above)?.requirement ?? ancestor(drafts, above)
}

/** What a schema asks for, in plain words. */
export function words(schema: Field['schema']): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum)
    return `one of ${schema.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')}`
  const types = [schema.type ?? []]
    .flat()
    .map((type) => (type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`))
  const text = types.join(' or ') || 'any value'
  return schema.pattern ? `${text} that matches ${schema.pattern}` : text
}
