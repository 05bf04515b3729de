import { isObject } from '../../../../engine/index.ts'
import { isDeepStrictEqual } from 'node:util'
import { branchesOf, type LocatedSchema, type SchemaBranch } from '../definition/schema.ts'
import { lengthOf } from '../results.ts'
import { fitsPattern } from './pattern.ts'

/** What a value can break of a schema, by kinds of constraints. */
export type BreachKind = 'missing' | 'type' | 'length' | 'range' | 'value' | 'pattern' | 'items'

type Part = SchemaBranch['parts'][number]

/** Levels of values that are looked at. */
const maxDepth = 8

/**
 * Which constraints a value breaks for certain, whoever reads the schema; none where it may fit. Of several branches to fit, all have to be broken, and those are told
 * that want a value of its type.
 */
export function breachesOf(
  value: unknown,
  located: LocatedSchema,
  root: LocatedSchema,
  level = 0,
): Set<BreachKind> {
  if (level > maxDepth) return new Set()
  const branches = branchesOf(located, root).map(
    ({ parts }) => new Set(parts.flatMap((part) => [...breachesOfPart(value, part, root, level)])),
  )
  if (branches.length === 0 || branches.some(({ size }) => size === 0)) return new Set()
  return branches.find((broken) => !broken.has('type')) ?? branches[0]!
}

/** Whether a value has this type of JSON Schema. 20.0 is an integer. */
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
  // In older drafts what stands beside a reference does not count.
  if ('$ref' in schema) return broken
  const types = [schema['type'] ?? []].flat()
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return broken.add('type')
  if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => isDeepStrictEqual(one, value)))
    broken.add('value')
  if ('const' in schema && !isDeepStrictEqual(schema['const'], value)) broken.add('value')
  const inside = (one: unknown, located: LocatedSchema) => {
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
      for (const item of value) inside(item, { schema: schema['items'], path: `${path}.items` })
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
        inside(one, { schema: properties[name], path: `${path}.properties.${name}` })
  }
  return broken
}

/** Whether there is a default: a server may take that for what is missing, required or not. */
const hasDefault = (schema: unknown, path: string, root: LocatedSchema): boolean =>
  branchesOf({ schema, path }, root).some(({ parts }) =>
    parts.some((part) => 'default' in part.schema),
  )
