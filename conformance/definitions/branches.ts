import { jsonTypes } from '../../generated/tools/rules.ts'
import { isObject, type Json } from '../engine/json.ts'
import { childPath } from './finding.ts'

/** A schema and its JSON path. */
export interface LocatedSchema {
  readonly schema: unknown
  readonly path: string
}

/**
 * One alternative of a schema. A value conforms to the alternative if it conforms to all its parts.
 */
export interface SchemaBranch {
  readonly parts: readonly { readonly schema: Json; readonly path: string }[]
  /** Whether some parts are unknown: in another document, recursive, or beyond a limit. */
  readonly opaque: boolean
}

const opaqueBranch: SchemaBranch = { parts: [], opaque: true }
/**
 * Limits for reading a schema: alternatives, steps, and levels of nesting. A schema that exceeds
 * one of them counts as opaque.
 */
const limits = { branches: 200, steps: 5000, levels: 100 }

/**
 * The paths of the enclosing schemas, and how many steps remain. Steps are limited, because
 * references can make a schema infinite.
 */
interface Traversal {
  readonly above: readonly string[]
  readonly left: { steps: number }
}

/**
 * Returns the alternatives of a schema: follows references, joins allOf, and separates anyOf and
 * oneOf. The schema `false` has no alternatives. References such as #/$defs/x are resolved against
 * `root`.
 */
export function branchesOf(
  located: LocatedSchema,
  root: LocatedSchema,
  { above, left }: Traversal = { above: [], left: { steps: limits.steps } },
): SchemaBranch[] {
  const { schema, path } = located
  left.steps -= 1
  if (schema === false) return []
  if (!isObject(schema)) return [{ parts: [], opaque: false }]
  if (above.includes(path) || above.length > limits.levels || left.steps < 0) return [opaqueBranch]
  const within = { above: [...above, path], left }
  let branches: SchemaBranch[] = [{ parts: [{ schema, path }], opaque: false }]
  if (typeof schema.$ref === 'string') {
    const referenced = referencedSchema(schema.$ref, root)
    branches = combine(
      branches,
      referenced === undefined ? [opaqueBranch] : branchesOf(referenced, root, within),
    )
  }
  for (const part of subschemas(schema, path, 'allOf'))
    branches = combine(branches, branchesOf(part, root, within))
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = subschemas(schema, path, keyword)
    if (choices.length > 0)
      branches = combine(
        branches,
        choices.flatMap((choice) => branchesOf(choice, root, within)),
      )
  }
  return branches
}

function combine(
  branches: readonly SchemaBranch[],
  others: readonly SchemaBranch[],
): SchemaBranch[] {
  if (branches.length * others.length > limits.branches) return [opaqueBranch]
  return branches.flatMap((branch) =>
    others.map((other) => ({
      parts: [...branch.parts, ...other.parts],
      opaque: branch.opaque || other.opaque,
    })),
  )
}

function subschemas(schema: Json, path: string, keyword: string): LocatedSchema[] {
  const schemas = schema[keyword]
  return Array.isArray(schemas)
    ? schemas.map((part: unknown, index) => ({
        schema: part,
        path: childPath(childPath(path, keyword), index),
      }))
    : []
}

/** What a reference within the same document points to; undefined if it is elsewhere or missing. */
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

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The schema whose $anchor is `name`, or whose $id is `#name`. */
function findAnchor(located: LocatedSchema, name: string): LocatedSchema | undefined {
  return allObjects(located).find(
    ({ schema }) => schema.$anchor === name || schema.$id === `#${name}`,
  )
}

/** References to parts of the same document that do not exist. */
export function danglingReferences(root: LocatedSchema): { path: string; reference: string }[] {
  return allObjects(root).flatMap(({ schema: { $ref }, path }) =>
    typeof $ref === 'string' && $ref.startsWith('#') && referencedSchema($ref, root) === undefined
      ? [{ path: childPath(path, '$ref'), reference: $ref }]
      : [],
  )
}

/** The schema and every object within it, except in enum, const, default and examples. */
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

/**
 * The types that a value of this branch can have. Empty if its parts contradict each other,
 * undefined if they declare no types. Unknown type names are ignored.
 */
export function typesOf({ parts }: SchemaBranch): string[] | undefined {
  let types: string[] | undefined
  for (const { schema } of parts) {
    const declared = [
      ...('type' in schema
        ? [
            [schema.type]
              .flat()
              .filter((type): type is string => jsonTypes.includes(type as string)),
          ]
        : []),
      ...('const' in schema ? [[typeOf(schema.const)]] : []),
      ...(Array.isArray(schema.enum) ? [[...new Set(schema.enum.map(typeOf))]] : []),
    ]
    for (const each of declared) types = types === undefined ? each : commonTypes(types, each)
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

/** Whether a branch declares types, and these types allow no value except null. */
export const isNull = (branch: SchemaBranch): boolean =>
  typesOf(branch)?.every((type) => type === 'null') ?? false
