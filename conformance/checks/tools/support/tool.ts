import { isObject, type Json } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'

/** A tool as it is listed, as far as it can be called. */
export interface Tool {
  readonly name: string
  readonly definition: Json
  /** Its input schema; empty where there is none. */
  readonly schema: Json
  readonly annotations: Json
}

/** The tools of a list that came in one or more parts. */
export function definitionsOf(lists: readonly McpExchange[]): {
  definitions: readonly unknown[]
  tools: readonly Tool[]
} {
  const definitions = lists.flatMap(({ result }) =>
    Array.isArray(result?.['tools']) ? (result['tools'] as unknown[]) : [],
  )
  const tools = definitions.flatMap((definition) => {
    if (!isObject(definition) || typeof definition['name'] !== 'string') return []
    const { name, inputSchema, annotations } = definition
    return [
      {
        name,
        definition,
        schema: isObject(inputSchema) ? inputSchema : {},
        annotations: isObject(annotations) ? annotations : {},
      },
    ]
  })
  return { definitions, tools }
}

/** Whether all input of a tool stands in one field, `params`, of the type object. */
export function hasNestedInput(tool: Tool | undefined): boolean {
  const properties = tool?.schema['properties']
  if (tool === undefined || !isObject(properties) || Object.keys(properties).join() !== 'params')
    return false
  const field = resolveReference(properties['params'], tool.schema)
  return isObject(field) && (field['type'] === 'object' || isObject(field['properties']))
}

/** The schema of a tool's fields: the input schema itself, or that of `params`, with the schemas that it refers to. */
export function fieldsOf(tool: Tool): {
  properties: Json
  required: readonly string[]
  root: Json
} {
  const own = hasNestedInput(tool)
    ? resolveReference((tool.schema['properties'] as Json)['params'], tool.schema)
    : tool.schema
  const { properties, required } = isObject(own) ? own : {}
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required)
      ? required.filter((name): name is string => typeof name === 'string')
      : [],
    root: tool.schema,
  }
}

/** What a schema refers to, where it is no more than a reference into the same document. */
export function resolveReference(schema: unknown, root: Json, depth = 0): unknown {
  if (!isObject(schema) || typeof schema['$ref'] !== 'string' || depth > 8) return schema
  const [base, ...steps] = schema['$ref'].split('/')
  if (base !== '#') return schema
  const target = steps.reduce<unknown>(
    (place, step) =>
      isObject(place)
        ? place[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
        : undefined,
    root,
  )
  // What stands beside a reference counts too.
  const { $ref: _, ...beside } = schema
  const found = resolveReference(target, root, depth + 1)
  return isObject(found) ? { ...found, ...beside } : schema
}
