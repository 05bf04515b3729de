import type { AnyJson } from '../openapi.ts'

/**
 * Replaces a schema of other properties (`additionalProperties`), next to named properties, by a
 * pattern of their names. quicktype would otherwise write an index signature that contradicts the
 * optional properties, so that its code does not compile.
 */
export function otherProperties(schema: AnyJson): AnyJson {
  const { additionalProperties, ...others } = schema
  const names = Object.keys((schema.properties ?? {}) as AnyJson)
  if (typeof additionalProperties !== 'object' || names.length === 0) return schema
  if ('patternProperties' in schema || names.some((name) => !/^\w+$/.test(name)))
    throw new Error(`${schema.title ?? names.join()}: the other properties cannot be a pattern`)
  return {
    ...others,
    patternProperties: { [`^(?!(?:${names.join('|')})$)`]: additionalProperties as AnyJson },
  }
}
