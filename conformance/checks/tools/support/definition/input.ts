import { isObject } from '../../../../engine/index.ts'
import { childPath } from './finding.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema } from './schema.ts'

/** A field of a tool's input. */
export interface ToolInputField {
  readonly name: string
  readonly located: LocatedSchema
  /** Whether it must be given. */
  readonly required: boolean
}

/** The input of a tool: its fields, and the one field that all of them are nested in, where there is one. */
interface Input {
  readonly fields: readonly ToolInputField[]
  readonly wrapper?: ToolInputField
}

/** Reads the fields of an inputSchema. Where a single field is an object with members, as `params` often is, those are the fields. */
export function readInput(root: LocatedSchema): Input {
  const fields = fieldsOfSchema(root, root)
  const [only] = fields
  if (only === undefined || new Set(fields.map(({ name }) => name)).size > 1) return { fields }
  const ways = branchesOf(only.located, root).filter((way) => !isNull(way))
  const members = fieldsOfSchema(only.located, root)
  const isObjectAlways =
    ways.length > 0 &&
    ways.every(
      (way) => typesOf(way)?.every((type) => type === 'object' || type === 'null') ?? false,
    )
  return isObjectAlways && members.length > 0 ? { fields: members, wrapper: only } : { fields }
}

/** The members that the schema at a place declares, each once for every place at which it does. */
function fieldsOfSchema(place: LocatedSchema, root: LocatedSchema): ToolInputField[] {
  const ways = branchesOf(place, root)
  const required = (name: string) =>
    ways.every(({ parts }) =>
      parts.some(({ schema }) => Array.isArray(schema.required) && schema.required.includes(name)),
    )
  const found = new Map<string, ToolInputField>()
  for (const { schema, path } of ways.flatMap(({ parts }) => parts)) {
    if (!isObject(schema.properties)) continue
    for (const [name, member] of Object.entries(schema.properties)) {
      const at = childPath(childPath(path, 'properties'), name)
      // `false` says that there is no such field.
      if (member !== false)
        found.set(at, { name, located: { schema: member, path: at }, required: required(name) })
    }
  }
  return [...found.values()]
}

/** Levels of nesting that are looked at. */
const maxDepth = 8

/** The fields inside a field: members of objects, also of those in its arrays. */
export function nestedFields(
  field: ToolInputField,
  root: LocatedSchema,
  seen: Set<string> = new Set(),
  level = 0,
): ToolInputField[] {
  if (level > maxDepth) return []
  const inside = [field.located, ...itemsOf(field.located, root)]
    .flatMap((place) => fieldsOfSchema(place, root))
    .filter(({ located }) => !seen.has(located.path))
  for (const { located } of inside) seen.add(located.path)
  return inside.flatMap((member) => [member, ...nestedFields(member, root, seen, level + 1)])
}

/** Schemas for what an array holds; those of arrays in arrays too. */
function itemsOf(place: LocatedSchema, root: LocatedSchema, level = 0): LocatedSchema[] {
  if (level > maxDepth) return []
  const items = branchesOf(place, root)
    .flatMap(({ parts }) => parts)
    .filter(({ schema }) => isObject(schema.items))
    .map(({ schema, path }) => ({ schema: schema.items, path: childPath(path, 'items') }))
  return items.flatMap((item) => [item, ...itemsOf(item, root, level + 1)])
}
