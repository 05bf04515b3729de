import { resolve, type AnyJson, type Schema } from './openapi.ts'
import type { Field } from './runtime/contract.ts'

type Draft = { -readonly [Key in keyof Omit<Field, 'requirement'>]: Field[Key] } & {
  requirement?: string
  /** The requirement of all fields below this field. Omitted from the generated fields. */
  nested?: string
}

const structuralKeywords = new Set([
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
  // A condition only restricts fields that the schema lists elsewhere.
  'if',
  'then',
])
const unsupportedKeywords = [
  'oneOf',
  'anyOf',
  'else',
  'patternProperties',
  'prefixItems',
  'additionalProperties',
  'dependentSchemas',
]

/**
 * Lists the fields of a schema with their requirements. Parents come before their children. Throws
 * if a field has no requirement, or if a keyword has fields that cannot be listed.
 */
export function fieldsOf(document: AnyJson, schema: Schema): Field[] {
  const drafts = new Map<string, Draft>()
  collectFields(document, schema, '', true, drafts)
  return [...drafts.values()].map(({ nested: _, ...draft }) => {
    const requirement = draft.requirement ?? inheritedRequirement(drafts, draft.path)
    if (!requirement) throw new Error(`No x-requirement at or above ${draft.path || 'the body'}`)
    return { ...draft, requirement, expected: draft.expected || words(draft.schema) } as Field
  })
}

function collectFields(
  document: AnyJson,
  reference: Schema,
  path: string,
  required: boolean,
  drafts: Map<string, Draft>,
  /** The `x-requirement-nested` of the closest ancestor that has one; otherwise undefined. */
  nested?: string,
): void {
  const schema = resolve(document, reference)
  const unsupported = unsupportedKeywords
    .concat('not' in schema && !isNotNull(schema) ? 'not' : [])
    .find((keyword) => keyword in schema)
  if (unsupported)
    throw new Error(
      `${unsupported} at ${path || 'the body'}: the fields of such a schema cannot be listed`,
    )

  const draft: Draft = drafts.get(path) ?? { path, required, expected: '', schema: {} }
  drafts.set(path, draft)
  draft.required ||= required
  if (nested === undefined) {
    draft.requirement ??= schema['x-requirement']
    if (schema['x-requirement-presence']) draft.presence ??= schema['x-requirement-presence']
    if (schema['x-requirement-value']) draft.value ??= schema['x-requirement-value']
  } else draft.requirement = nested
  const below = nested ?? schema['x-requirement-nested'] ?? drafts.get(path)?.nested
  if (below !== undefined) draft.nested = below
  draft.expected ||= schema['x-expected'] ?? ''
  for (const [keyword, value] of Object.entries(schema)) {
    if (structuralKeywords.has(keyword) || keyword.startsWith('x-')) continue
    const existing = (draft.schema as AnyJson)[keyword]
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(value))
      throw new Error(`Conflicting values of ${keyword} at ${path || 'the body'}`)
    ;(draft.schema as AnyJson)[keyword] = value
  }
  for (const part of schema.allOf ?? [])
    collectFields(document, part, path, required, drafts, nested)
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member === 'boolean') continue
    collectFields(
      document,
      member,
      `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      schema.required?.includes(name) ?? false,
      drafts,
      below,
    )
  }
  if (schema.items) collectFields(document, schema.items, path + '/*', false, drafts, below)
}

function inheritedRequirement(drafts: Map<string, Draft>, path: string): string | undefined {
  if (!path) return undefined
  const parent = path.slice(0, path.lastIndexOf('/'))
  return drafts.get(parent)?.requirement ?? inheritedRequirement(drafts, parent)
}

/** Whether the keyword `not` of a schema excludes only null. */
const isNotNull = ({ not }: AnyJson) => JSON.stringify(not) === '{"type":"null"}'

/** Describes in English what a schema requires. */
export function words(schema: Field['schema']): string {
  if ('not' in schema) return 'anything except null'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum)
    return `one of ${schema.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')}`
  const types = [schema.type ?? []]
    .flat()
    .map((type) => (type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`))
  const text = types.join(' or ') || 'the field to be present'
  return schema.pattern ? `${text} that matches ${schema.pattern}` : text
}
