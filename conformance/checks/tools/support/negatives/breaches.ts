import { isObject } from '../../../../engine/index.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  branchesOf,
  type LocatedSchema,
  type SchemaBranch,
} from '../../../../definitions/branches.ts'
import { lengthOf } from '../results.ts'
import { fitsPattern } from './pattern.ts'

/** The kinds of constraints that a value can break. */
export type BreachKind = 'missing' | 'type' | 'length' | 'range' | 'value' | 'pattern' | 'items'

type Part = SchemaBranch['parts'][number]

/** Maximum depth of a value that is examined. */
const maxDepth = 8

/**
 * Returns the kinds of constraints that a value certainly breaks, whichever version of JSON Schema
 * the server follows. Empty if the value conforms to any alternative of the schema. Otherwise,
 * examines the first alternative that accepts the type of the value or, if none does, the first
 * one.
 */
export function breachesOf(
  value: unknown,
  located: LocatedSchema,
  root: LocatedSchema,
  level = 0,
): Set<BreachKind> {
  if (level > maxDepth) return new Set()
  const breaches = branchesOf(located, root).map(
    ({ parts }) => new Set(parts.flatMap((part) => [...breachesOfPart(value, part, root, level)])),
  )
  if (breaches.length === 0 || breaches.some(({ size }) => size === 0)) return new Set()
  return breaches.find((broken) => !broken.has('type')) ?? breaches[0]!
}

/** Whether a value has this JSON Schema type. 20.0 is an integer. */
export function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function breachesOfPart(
  value: unknown,
  { schema, path }: Part,
  root: LocatedSchema,
  level: number,
): Set<BreachKind> {
  const broken = new Set<BreachKind>()
  // Ignores keywords next to `$ref`, as older drafts of JSON Schema do.
  if ('$ref' in schema) return broken
  const types = [schema['type'] ?? []].flat()
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return broken.add('type')
  if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => isDeepStrictEqual(one, value)))
    broken.add('value')
  if ('const' in schema && !isDeepStrictEqual(schema['const'], value)) broken.add('value')
  const addBreachesOf = (one: unknown, located: LocatedSchema) => {
    for (const kind of breachesOf(one, located, root, level + 1)) broken.add(kind)
  }
  const bound = (keyword: string): number | undefined =>
    typeof schema[keyword] === 'number' ? schema[keyword] : undefined
  const within = (size: number, least: string, most: string) =>
    size >= (bound(least) ?? 0) && size <= (bound(most) ?? Infinity)

  if (typeof value === 'string') {
    if (!within(lengthOf(value), 'minLength', 'maxLength')) broken.add('length')
    if (typeof schema['pattern'] === 'string' && fitsPattern(value, schema['pattern']) === false)
      broken.add('pattern')
  } else if (typeof value === 'number') {
    if (value < (bound('minimum') ?? -Infinity) || value > (bound('maximum') ?? Infinity))
      broken.add('range')
    if (
      value <= (bound('exclusiveMinimum') ?? -Infinity) ||
      value >= (bound('exclusiveMaximum') ?? Infinity)
    )
      broken.add('range')
  } else if (Array.isArray(value)) {
    if (!within(value.length, 'minItems', 'maxItems')) broken.add('items')
    if (isObject(schema['items']) && !('prefixItems' in schema))
      for (const item of value)
        addBreachesOf(item, { schema: schema['items'], path: `${path}.items` })
  } else if (isObject(value)) {
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    for (const name of Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []) {
      if (
        typeof name === 'string' &&
        !(name in value) &&
        !hasDefault(properties[name], `${path}.properties.${name}`, root)
      )
        broken.add('missing')
    }
    for (const [name, one] of Object.entries(value))
      if (Object.hasOwn(properties, name))
        addBreachesOf(one, { schema: properties[name], path: `${path}.properties.${name}` })
  }
  return broken
}

/** Whether a field has a default. A server may use it even if the field is required. */
const hasDefault = (schema: unknown, path: string, root: LocatedSchema): boolean =>
  branchesOf({ schema, path }, root).some(({ parts }) =>
    parts.some((part) => 'default' in part.schema),
  )
