import type { AnyJson } from './openapi.ts'

/**
 * Replaces the list of types of a schema by `anyOf`, because the strict mode of ajv rejects such a
 * list, unless it has one type and "null". Does not change the parts of the schema.
 */
export function splitUnionType(schema: AnyJson): AnyJson {
  const { type, ...others } = schema
  if (!Array.isArray(type) || type.filter((each) => each !== 'null').length < 2) return schema
  if ('anyOf' in schema) throw new Error('A schema has both a list of types and anyOf')
  return { ...others, anyOf: type.map((each: string) => ({ type: each })) }
}

/** Keywords with values, which are not schemas. */
const data = ['examples', 'const', 'default', 'enum']

/** Does the same in the schema and in all its parts. */
export function splitUnionTypes(node: any, hasNames = false): any {
  if (Array.isArray(node)) return node.map((member) => splitUnionTypes(member))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).map(([key, member]) => [
    key,
    !hasNames && data.includes(key)
      ? member
      : splitUnionTypes(member, !hasNames && (key === 'properties' || key === '$defs')),
  ])
  const copy = Object.fromEntries(members) as AnyJson
  return hasNames ? copy : splitUnionType(copy)
}
