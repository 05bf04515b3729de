import type { AnyJson } from './openapi.ts'
import { newAjv } from './validators.ts'

/** A value from the examples of a contract, with the schema that describes it. */
export interface SchemaValue {
  schema: AnyJson
  value: unknown
}

/**
 * Returns the examples of bodies, headers and parameters in an OpenAPI document, each with its
 * schema.
 */
export function documentExamples(document: AnyJson): SchemaValue[] {
  const found: SchemaValue[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { schema, examples, example } = node as AnyJson
    if (typeof schema === 'object' && typeof examples === 'object')
      for (const member of Object.values(examples as AnyJson)) {
        const name = (member.$ref as string | undefined)?.split('/').at(-1)
        const { value } = name === undefined ? member : document.components.examples[name]
        found.push({ schema, value })
      }
    if (typeof schema === 'object' && example !== undefined) found.push({ schema, value: example })
    Object.values(node).forEach(visit)
  }
  visit(document)
  return found
}

/**
 * Returns the largest example of each named schema that has one. Candidates are the `examples` of
 * the schema itself, and values or parts of values whose schema refers to it.
 */
export function largestExamples(
  schemas: { [name: string]: AnyJson },
  values: readonly SchemaValue[],
): Map<string, unknown> {
  const ajv = newAjv({ strict: false, allErrors: false })
  ajv.addSchema({ $id: 'contract', components: { schemas } })
  const accepts = (name: string, value: unknown) =>
    ajv.getSchema(`contract#/components/schemas/${name}`)!(value) as boolean
  const found = new Map<string, unknown>()
  const visit = (schema: AnyJson | boolean | undefined, value: unknown): void => {
    if (typeof schema !== 'object' || value === undefined || value === null) return
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.split('/').at(-1)!
      if (!accepts(name, value)) return
      // The largest example shows the most members of the type.
      if (sizeOf(value) > sizeOf(found.get(name))) found.set(name, value)
      visit(schemas[name], value)
    }
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
      visit(part as AnyJson, value)
    if (Array.isArray(value)) for (const element of value) visit(schema.items, element)
    else if (typeof value === 'object')
      for (const [key, member] of Object.entries(value)) {
        visit(schema.properties?.[key] ?? schema.additionalProperties, member)
      }
  }
  for (const { schema, value } of values) visit(schema, value)
  for (const [name, { examples }] of Object.entries(schemas))
    for (const value of (examples as unknown[] | undefined) ?? [])
      visit({ $ref: `#/components/schemas/${name}` }, value)
  return found
}

const sizeOf = (value: unknown) => (value === undefined ? 0 : (JSON.stringify(value)?.length ?? 0))
