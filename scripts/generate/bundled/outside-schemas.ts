import type { AnyJson } from '../openapi.ts'
import { splitUnionType } from '../union-types.ts'
import { otherProperties } from './other-properties.ts'

/** Keywords that only this project reads. `x-requirement` stays: it leads to the catalogue. */
const internal = new Set([
  'x-requirement-presence',
  'x-requirement-value',
  'x-requirement-nested',
  'x-expected',
  'x-documented',
  'x-rule',
  'x-fix',
])
/** Keywords with values, which are not schemas. */
const data = new Set(['example', 'examples', 'value', 'const', 'default', 'enum'])
/** Keywords whose members have names that a contract chooses. */
const named = new Set(['properties', 'patternProperties', '$defs', 'schemas', 'headers'])

/**
 * Writes the schemas of a document in the form that most tools can read, without changing what they
 * accept:
 *
 * - Keywords that only this project reads are removed.
 * - A property with the schema `false` becomes `not: { required: […] }`, because Orval cannot read
 *   a boolean.
 * - A schema of other properties, next to named ones, becomes a pattern (see `otherProperties`).
 * - A list of types becomes `anyOf`, unless it has one type and "null".
 * - `allOf` with one reference becomes the reference, if only `x-requirement` is next to it.
 *   Modelina would otherwise name the type `AnonymousSchema_21`. AsyncAPI ignores keywords next to
 *   `$ref`, and Redocly reports them, so the requirement becomes a member of `x-requirements` in
 *   the schema that has the property.
 */
export function outsideSchemas(document: AnyJson): AnyJson {
  return visit(document, { hasNames: false, hasSiblings: !('asyncapi' in document) }) as AnyJson
}

interface Context {
  /** Whether the keys of the object are names that the contract chooses. */
  hasNames: boolean
  /** Whether keywords next to `$ref` have a meaning. */
  hasSiblings: boolean
}

function visit(node: unknown, context: Context): unknown {
  const below = { ...context, hasNames: false }
  if (Array.isArray(node)) return node.map((member) => visit(member, below))
  if (typeof node !== 'object' || node === null) return node
  if (context.hasNames) return mapMembers(node, ([key, member]) => [[key, visit(member, below)]])
  const visited = mapMembers(node, ([key, member]) => {
    if (internal.has(key)) return []
    return [[key, data.has(key) ? member : visit(member, { ...context, hasNames: named.has(key) })]]
  })
  const schema = splitUnionType(otherProperties(absentProperties(visited)))
  return context.hasSiblings ? plainReference(schema) : requirementsOfReferences(schema)
}

type Member = [key: string, value: unknown]

const mapMembers = (node: object, change: (member: Member) => Member[]): AnyJson =>
  Object.fromEntries(Object.entries(node).flatMap(change))

/** Replaces properties with the schema `false`, which must be absent, by a condition. */
function absentProperties(schema: AnyJson): AnyJson {
  const properties = Object.entries((schema.properties ?? {}) as AnyJson)
  const absent = properties.filter(([, member]) => member === false).map(([name]) => name)
  if (absent.length === 0) return schema
  // The condition also rejects values that are not objects.
  if (schema.type !== 'object' || 'not' in schema)
    throw new Error(`${schema.title}: properties that must be absent cannot become a condition`)
  const conditions = absent.map((name) => ({ required: [name], properties: { [name]: {} } }))
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => !absent.includes(name))),
    not: conditions.length === 1 ? conditions[0] : { anyOf: conditions },
  }
}

/** Replaces `allOf` by its only reference, if the other keywords are annotations. */
function plainReference(schema: AnyJson): AnyJson {
  const { allOf, ...others } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1) return schema
  const [only] = allOf as AnyJson[]
  const isReference = Object.keys(only!).join() === '$ref'
  return isReference && Object.keys(others).every((key) => key === 'x-requirement')
    ? { ...only, ...others }
    : schema
}

/** Moves the requirements of properties that are references to the schema of the object. */
function requirementsOfReferences(schema: AnyJson): AnyJson {
  const requirements: AnyJson = {}
  const properties = mapMembers((schema.properties ?? {}) as AnyJson, ([name, member]) => {
    const { 'x-requirement': requirement, ...reference } = plainReference(member as AnyJson)
    if (!('$ref' in reference) || requirement === undefined) return [[name, member]]
    requirements[name] = requirement
    return [[name, reference]]
  })
  return Object.keys(requirements).length === 0
    ? schema
    : { ...schema, properties, 'x-requirements': requirements }
}
