import { percentDecode } from '../../../../conformance/wire/percent.ts'

/** A JSON Schema, or a part of one. */
export type ToolSchema = boolean | { readonly [keyword: string]: unknown }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords whose value is a schema (`single`), a list of schemas or a map of schemas. */
const single = ['items', 'additionalProperties', 'additionalItems', 'contains', 'not']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const maps = ['properties', 'patternProperties']

/** Keywords that are copied without change. */
const plain = [
  'type',
  'const',
  'enum',
  'required',
  'format',
  'description',
  'title',
  'default',
  'deprecated',
]

/**
 * Rewrites a schema as named components of OpenAPI, the input of openapi-typescript. Each schema
 * that it refers to becomes a component too. Omits what types cannot express. References to other
 * documents accept any value.
 */
export function componentsOf(name: string, root: ToolSchema): Map<string, ToolSchema> {
  const components = new Map<string, ToolSchema>()
  const names = new Map<string, string>([['#', name]])
  const pending: [name: string, schema: unknown][] = [[name, root]]

  const refer = (reference: string): ToolSchema => {
    const pointer = reference === '#/' ? '#' : reference
    const known = names.get(pointer)
    if (known !== undefined) return { $ref: `#/components/schemas/${known}` }
    const referenced = resolve(root, pointer)
    if (referenced === undefined) return {}
    const next = `${name}_${names.size}`
    names.set(pointer, next)
    pending.push([next, referenced])
    return { $ref: `#/components/schemas/${next}` }
  }

  const rewrite = (schema: unknown): ToolSchema => {
    if (schema === false) return { not: {} }
    if (!isObject(schema)) return {}
    if (typeof schema['$ref'] === 'string') {
      const own = refer(schema['$ref'])
      const { $ref: _, ...others } = schema
      const siblings = rewrite(others)
      return Object.keys(siblings).some((keyword) => !['description', 'title'].includes(keyword))
        ? { allOf: [own, siblings] }
        : own
    }
    const entries: [string, unknown][] = plain
      .filter((keyword) => keyword in schema)
      .map((keyword) => [keyword, schema[keyword]])
    for (const keyword of single)
      if (isObject(schema[keyword]) || typeof schema[keyword] === 'boolean')
        entries.push([keyword, rewriteSingle(keyword, schema[keyword])])
    for (const keyword of lists)
      if (Array.isArray(schema[keyword]))
        // A list of `items` is the older form of `prefixItems`.
        entries.push([
          keyword === 'items' ? 'prefixItems' : keyword,
          (schema[keyword] as unknown[]).map(rewrite),
        ])
    for (const keyword of maps)
      if (isObject(schema[keyword]))
        entries.push([
          keyword,
          Object.fromEntries(
            Object.entries(schema[keyword]).map(([key, inner]) => [key, rewrite(inner)]),
          ),
        ])
    // For an object without properties, openapi-typescript would generate a type without members.
    if (
      [schema['type']].flat().includes('object') &&
      !['properties', 'patternProperties', 'additionalProperties'].some((one) => one in schema)
    )
      entries.push(['additionalProperties', true])
    return Object.fromEntries(entries)
  }
  const rewriteSingle = (keyword: string, schema: unknown) =>
    typeof schema === 'boolean' && keyword !== 'not' ? schema : rewrite(schema)

  for (let next = pending.shift(); next !== undefined; next = pending.shift())
    components.set(next[0], rewrite(next[1]))
  return components
}

/**
 * Returns the schema to which a reference points: a JSON Pointer in a fragment. Undefined if the
 * schema is in another document or does not exist.
 */
function resolve(root: ToolSchema, reference: string): unknown {
  const [base, ...steps] = reference.split('/')
  if (base !== '#') return undefined
  return steps.reduce<unknown>((current, step) => {
    const key = unescaped(step)
    if (Array.isArray(current)) return current[Number(key)] as unknown
    return isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined
  }, root)
}

function unescaped(step: string): string {
  try {
    return percentDecode(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
