import { isObject } from '../engine/json.ts'
import { childPath, isCommon } from './finding.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema } from './branches.ts'

/** A field of a tool's input. */
export interface ToolInputField {
  readonly name: string
  readonly located: LocatedSchema
  readonly required: boolean
}

/** The fields of a tool's input, and the field that contains all of them, if there is one. */
interface Input {
  readonly fields: readonly ToolInputField[]
  readonly wrapper?: ToolInputField
}

/**
 * Reads the fields of an inputSchema. If its only field is an object with members (often `params`),
 * that field is the wrapper, and its members are the fields.
 */
export function readInput(root: LocatedSchema): Input {
  const fields = fieldsOfSchema(root, root)
  const [only] = fields
  if (only === undefined || isCommon(only.name) || new Set(fields.map(({ name }) => name)).size > 1)
    return { fields }
  const branches = branchesOf(only.located, root).filter((branch) => !isNull(branch))
  const members = fieldsOfSchema(only.located, root)
  const isAlwaysObject =
    branches.length > 0 &&
    branches.every(
      (branch) => typesOf(branch)?.every((type) => type === 'object' || type === 'null') ?? false,
    )
  return isAlwaysObject && members.length > 0 ? { fields: members, wrapper: only } : { fields }
}

/**
 * Reads the members that a schema declares. A member that is declared at two paths occurs twice.
 */
function fieldsOfSchema(located: LocatedSchema, root: LocatedSchema): ToolInputField[] {
  const branches = branchesOf(located, root)
  const required = (name: string) =>
    branches.every(({ parts }) =>
      parts.some(({ schema }) => Array.isArray(schema.required) && schema.required.includes(name)),
    )
  const found = new Map<string, ToolInputField>()
  for (const { schema, path } of branches.flatMap(({ parts }) => parts)) {
    if (!isObject(schema.properties)) continue
    for (const [name, member] of Object.entries(schema.properties)) {
      const at = childPath(childPath(path, 'properties'), name)
      // The schema `false` forbids the field.
      if (member !== false)
        found.set(at, { name, located: { schema: member, path: at }, required: required(name) })
    }
  }
  return [...found.values()]
}

/** Maximum depth of nesting that is examined. */
const maxDepth = 8

/** The fields inside a field: members of objects, including objects in arrays. */
export function nestedFields(
  field: ToolInputField,
  root: LocatedSchema,
  seen: Set<string> = new Set(),
  level = 0,
): ToolInputField[] {
  if (level > maxDepth) return []
  const inside = [field.located, ...itemsOf(field.located, root)]
    .flatMap((located) => fieldsOfSchema(located, root))
    .filter(({ located }) => !seen.has(located.path))
  for (const { located } of inside) seen.add(located.path)
  return inside.flatMap((member) => [member, ...nestedFields(member, root, seen, level + 1)])
}

/** The schemas of the items of an array, including those of nested arrays. */
function itemsOf(located: LocatedSchema, root: LocatedSchema, level = 0): LocatedSchema[] {
  if (level > maxDepth) return []
  const items = branchesOf(located, root)
    .flatMap(({ parts }) => parts)
    .filter(({ schema }) => isObject(schema.items))
    .map(({ schema, path }) => ({ schema: schema.items, path: childPath(path, 'items') }))
  return items.flatMap((item) => [item, ...itemsOf(item, root, level + 1)])
}
