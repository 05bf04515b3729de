import { isObject } from '../../../../engine/index.ts'
import { step } from './finding.ts'
import { isNull, typesOf, waysOf, type LocatedSchema } from './schema.ts'

/** A field of a tool's input. */
export interface ToolInputField {
  readonly name: string
  readonly place: LocatedSchema
  /** Whether it must be given. */
  readonly required: boolean
}

/** The input of a tool: its fields, and the one field that all of them are nested in, where there is one. */
interface Input {
  readonly fields: readonly ToolInputField[]
  readonly wrapper?: ToolInputField
}

/** Reads the fields of an inputSchema. Where a single field is an object with members, as `params` often is, those are the fields. */
export function inputOf(root: LocatedSchema): Input {
  const fields = fieldsAt(root, root)
  const [only] = fields
  if (only === undefined || new Set(fields.map(({ name }) => name)).size > 1) return { fields }
  const ways = waysOf(only.place, root).filter((way) => !isNull(way))
  const members = fieldsAt(only.place, root)
  const isObjectAlways =
    ways.length > 0 &&
    ways.every(
      (way) => typesOf(way)?.every((type) => type === 'object' || type === 'null') ?? false,
    )
  return isObjectAlways && members.length > 0 ? { fields: members, wrapper: only } : { fields }
}

/** The members that the schema at a place declares, each once for every place at which it does. */
function fieldsAt(place: LocatedSchema, root: LocatedSchema): ToolInputField[] {
  const ways = waysOf(place, root)
  const required = (name: string) =>
    ways.every(({ parts }) =>
      parts.some(({ schema }) => Array.isArray(schema.required) && schema.required.includes(name)),
    )
  const found = new Map<string, ToolInputField>()
  for (const { schema, path } of ways.flatMap(({ parts }) => parts)) {
    if (!isObject(schema.properties)) continue
    for (const [name, member] of Object.entries(schema.properties)) {
      const at = step(step(path, 'properties'), name)
      // `false` says that there is no such field.
      if (member !== false)
        found.set(at, { name, place: { schema: member, path: at }, required: required(name) })
    }
  }
  return [...found.values()]
}

/** Levels of nesting that are looked at. */
const deepest = 8

/** The fields inside a field: members of objects, also of those in its arrays. */
export function fieldsInside(
  field: ToolInputField,
  root: LocatedSchema,
  seen: Set<string> = new Set(),
  level = 0,
): ToolInputField[] {
  if (level > deepest) return []
  const inside = [field.place, ...itemsOf(field.place, root)]
    .flatMap((place) => fieldsAt(place, root))
    .filter(({ place }) => !seen.has(place.path))
  for (const { place } of inside) seen.add(place.path)
  return inside.flatMap((member) => [member, ...fieldsInside(member, root, seen, level + 1)])
}

/** Schemas for what an array holds; those of arrays in arrays too. */
function itemsOf(place: LocatedSchema, root: LocatedSchema, level = 0): LocatedSchema[] {
  if (level > deepest) return []
  const items = waysOf(place, root)
    .flatMap(({ parts }) => parts)
    .filter(({ schema }) => isObject(schema.items))
    .map(({ schema, path }) => ({ schema: schema.items, path: step(path, 'items') }))
  return items.flatMap((item) => [item, ...itemsOf(item, root, level + 1)])
}
