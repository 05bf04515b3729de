import { isObject, type Json } from '../../../../engine/index.ts'
import { childPath } from './finding.ts'

/** A schema and where it stands. */
export interface LocatedSchema {
  readonly schema: unknown
  readonly path: string
}

/** One of the ways in which a value can keep a schema: it keeps all of the parts. */
export interface SchemaBranch {
  readonly parts: readonly { readonly schema: Json; readonly path: string }[]
  /** Whether more is demanded that cannot be seen from here: it stands in another document, or within itself. */
  readonly opaque: boolean
}

const opaqueBranch: SchemaBranch = { parts: [], opaque: true }
/** Ways of one schema that are looked at, steps taken to find them, and levels of objects: what has more is taken as what cannot be seen. */
const limits = { ways: 200, steps: 5000, levels: 100 }

/** A walk through a schema: what it is within, and how many steps are left, for the target may have written it to be endless. */
interface Traversal {
  readonly above: readonly string[]
  readonly left: { steps: number }
}

/** All the ways of a schema: references followed, allOf joined, anyOf and oneOf side by side. None for `false`. `root` is what references start from. */
export function branchesOf(
  place: LocatedSchema,
  root: LocatedSchema,
  { above, left }: Traversal = { above: [], left: { steps: limits.steps } },
): SchemaBranch[] {
  const { schema, path } = place
  left.steps -= 1
  if (schema === false) return []
  if (!isObject(schema)) return [{ parts: [], opaque: false }]
  if (above.includes(path) || above.length > limits.levels || left.steps < 0) return [opaqueBranch]
  const within = { above: [...above, path], left }
  let ways: SchemaBranch[] = [{ parts: [{ schema, path }], opaque: false }]
  if (typeof schema.$ref === 'string') {
    const target = referencedSchema(schema.$ref, root)
    ways = combine(ways, target === undefined ? [opaqueBranch] : branchesOf(target, root, within))
  }
  for (const part of subschemas(schema, path, 'allOf'))
    ways = combine(ways, branchesOf(part, root, within))
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = subschemas(schema, path, keyword)
    if (choices.length > 0)
      ways = combine(
        ways,
        choices.flatMap((choice) => branchesOf(choice, root, within)),
      )
  }
  return ways
}

function combine(ways: readonly SchemaBranch[], others: readonly SchemaBranch[]): SchemaBranch[] {
  if (ways.length * others.length > limits.ways) return [opaqueBranch]
  return ways.flatMap((way) =>
    others.map((other) => ({
      parts: [...way.parts, ...other.parts],
      opaque: way.opaque || other.opaque,
    })),
  )
}

function subschemas(schema: Json, path: string, keyword: string): LocatedSchema[] {
  const given = schema[keyword]
  return Array.isArray(given)
    ? given.map((part: unknown, index) => ({
        schema: part,
        path: childPath(childPath(path, keyword), index),
      }))
    : []
}

/** What a reference leads to within the same schema; undefined where it leads elsewhere or nowhere. */
function referencedSchema(reference: string, root: LocatedSchema): LocatedSchema | undefined {
  if (!reference.startsWith('#')) return undefined
  const fragment = decoded(reference.slice(1))
  if (fragment !== '' && !fragment.startsWith('/')) return findAnchor(root, fragment)
  let { schema, path } = root
  for (const escaped of fragment.split('/').slice(1)) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: unknown = Array.isArray(schema)
      ? schema[Number(key)]
      : isObject(schema) && Object.hasOwn(schema, key)
        ? schema[key]
        : undefined
    if (next === undefined) return undefined
    path = childPath(path, Array.isArray(schema) ? Number(key) : key)
    schema = next
  }
  return { schema, path }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What bears the name. */
function findAnchor(place: LocatedSchema, name: string): LocatedSchema | undefined {
  return allObjects(place).find(
    ({ schema }) => schema.$anchor === name || schema.$id === `#${name}`,
  )
}

/** Places whose reference names something of the same schema that is not there. */
export function danglingReferences(root: LocatedSchema): { path: string; reference: string }[] {
  return allObjects(root).flatMap(({ schema: { $ref }, path }) =>
    typeof $ref === 'string' && $ref.startsWith('#') && referencedSchema($ref, root) === undefined
      ? [{ path: childPath(path, '$ref'), reference: $ref }]
      : [],
  )
}

/** Every object below a place, itself included, but for what stands in values. */
function allObjects({ schema, path }: LocatedSchema, level = 0): { schema: Json; path: string }[] {
  if (level > limits.levels) return []
  if (Array.isArray(schema))
    return schema.flatMap((member: unknown, index) =>
      allObjects({ schema: member, path: childPath(path, index) }, level + 1),
    )
  if (!isObject(schema)) return []
  const inside = Object.entries(schema).filter(
    ([key]) => !['enum', 'const', 'default', 'examples'].includes(key),
  )
  return [
    { schema, path },
    ...inside.flatMap(([key, member]) =>
      allObjects({ schema: member, path: childPath(path, key) }, level + 1),
    ),
  ]
}

/** The types of JSON Schema. */
export const typeNames: readonly string[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]

/** The types that a value of this way can have: none where its parts contradict each other, undefined where they say nothing. Names that are no types are left out. */
export function typesOf({ parts }: SchemaBranch): string[] | undefined {
  let types: string[] | undefined
  for (const { schema } of parts) {
    const said = [
      ...('type' in schema
        ? [
            [schema.type]
              .flat()
              .filter((type): type is string => typeNames.includes(type as string)),
          ]
        : []),
      ...('const' in schema ? [[typeOf(schema.const)]] : []),
      ...(Array.isArray(schema.enum) ? [[...new Set(schema.enum.map(typeOf))]] : []),
    ]
    for (const each of said) types = types === undefined ? each : commonTypes(types, each)
  }
  return types
}

function commonTypes(some: readonly string[], others: readonly string[]): string[] {
  return some.flatMap((type) => {
    if (others.includes(type)) return [type]
    if (type === 'number' && others.includes('integer')) return ['integer']
    return type === 'integer' && others.includes('number') ? ['integer'] : []
  })
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

/** Whether no value but null can keep it. */
export const isNull = (way: SchemaBranch): boolean =>
  typesOf(way)?.every((type) => type === 'null') ?? false
