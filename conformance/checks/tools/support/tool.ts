import { isObject, type Json } from '../../../engine/index.ts'
import { percentDecode, type McpExchange } from '../../../wire/index.ts'

/** A listed tool. */
export interface Tool {
  readonly name: string
  readonly definition: Json
  /** The input schema; empty if there is none. */
  readonly schema: Json
  readonly annotations: Json
}

/** The tools of a list with one or more pages. */
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

/** Whether the only field of a tool is the object `params`, which contains its input. */
export function hasNestedInput(tool: Tool | undefined): boolean {
  const properties = tool?.schema['properties']
  if (tool === undefined || !isObject(properties) || Object.keys(properties).join() !== 'params')
    return false
  const field = resolveReference(properties['params'], tool.schema)
  return isObject(field) && (field['type'] === 'object' || isObject(field['properties']))
}

/**
 * Returns the fields of a tool: those of its input schema, or those of `params` if the input is
 * nested in that field. References in the fields are relative to `root`.
 */
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

/** Whether a tool has the field `response_format`. */
export const hasFormats = (tool: Tool | undefined): tool is Tool =>
  tool !== undefined && Object.hasOwn(fieldsOf(tool).properties, 'response_format')

/** The argument that requests JSON; empty if the tool has only one format. */
export const jsonArgument = (tool: Tool | undefined): Readonly<Record<string, unknown>> =>
  hasFormats(tool) ? { response_format: 'json' } : {}

/** Follows a reference into the same document. Returns any other schema as it is. */
export function resolveReference(schema: unknown, root: Json, depth = 0): unknown {
  if (!isObject(schema) || typeof schema['$ref'] !== 'string' || depth > 8) return schema
  const [base, ...steps] = schema['$ref'].split('/')
  if (base !== '#') return schema
  const referenced = steps.reduce<unknown>(
    (current, step) =>
      isObject(current)
        ? current[percentDecode(step).replaceAll('~1', '/').replaceAll('~0', '~')]
        : undefined,
    root,
  )
  // Keywords next to `$ref` count as well.
  const { $ref: _, ...siblings } = schema
  const found = resolveReference(referenced, root, depth + 1)
  return isObject(found) ? { ...found, ...siblings } : schema
}
