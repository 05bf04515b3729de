/** A JSON Schema. */
export type ContractSchema = boolean | Keywords
type Keywords = Readonly<Record<string, unknown>>

/** The values of a type, as far as types of programming languages can express them. */
export type TypeShape =
  | { kind: 'any' }
  | { kind: 'reference'; name: string }
  | { kind: 'boolean' | 'integer' | 'number' | 'string' | 'null' }
  | { kind: 'enum'; values: readonly string[] }
  | { kind: 'array'; items: TypeShape }
  | { kind: 'map'; values: TypeShape }
  | { kind: 'object'; properties: ReadonlyMap<string, ShapeProperty> }
  | { kind: 'union'; members: readonly TypeShape[] }

export interface ShapeProperty {
  shape: TypeShape
  required: boolean
  description: string | undefined
}

/** A type with a name. */
export interface NamedShape {
  shape: TypeShape
  description: string | undefined
}

/**
 * Returns the named types of a contract. `schemas` contains its JSON Schemas, by title; they refer
 * to each other as `#/$defs/Title`. Ignores keywords that types cannot express, such as `pattern`.
 * `free` names the schemas whose values are objects with arbitrary fields.
 *
 * Objects, enumerations and values of several types have a name; other schemas, such as strings,
 * replace the references to them. If the schemas `User` and `UserOrNull` have the same fields, only
 * `User` is a type, and references to `UserOrNull` may be null.
 */
export function shapesOf(
  schemas: ReadonlyMap<string, ContractSchema>,
  free: ReadonlySet<string>,
): Map<string, NamedShape> {
  const reader = new ShapeReader(schemas, free)
  const named = new Map<string, NamedShape>()
  for (const name of schemas.keys()) {
    const definition = reader.definition(name)
    if (definition.name === name) named.set(name, definition)
  }
  return named
}

/** The type of a schema with a title. */
interface Definition extends NamedShape {
  /** The name of the type. Undefined if it has none. */
  name: string | undefined
  nullable: boolean
}

const orNull = 'OrNull'

class ShapeReader {
  readonly #definitions = new Map<string, Definition>()
  readonly #schemas: ReadonlyMap<string, ContractSchema>
  readonly #free: ReadonlySet<string>

  constructor(schemas: ReadonlyMap<string, ContractSchema>, free: ReadonlySet<string>) {
    this.#schemas = schemas
    this.#free = free
  }

  definition(title: string): Definition {
    const known = this.#definitions.get(title)
    if (known !== undefined) return known
    // A schema that refers to itself can only do so by its name.
    const definition: Definition = {
      name: title,
      shape: { kind: 'any' },
      nullable: false,
      description: undefined,
    }
    this.#definitions.set(title, definition)
    const schema = this.#schemas.get(title)
    if (schema === undefined) throw new Error(`there is no schema ${title}`)
    const all = this.#free.has(title) ? freeObject : this.shapeOf(schema)
    const shape = withoutNull(all)
    Object.assign(definition, {
      name: this.#nameOf(title, shape),
      shape,
      nullable: shape !== all,
      description: this.#descriptionOf(schema),
    })
    return definition
  }

  #nameOf(title: string, shape: TypeShape): string | undefined {
    if (!['object', 'enum', 'union'].includes(shape.kind)) return undefined
    const base = title.slice(0, -orNull.length)
    if (!title.endsWith(orNull) || !this.#schemas.has(base)) return title
    return fieldsOf(this.definition(base).shape) === fieldsOf(shape) ? base : title
  }

  /** Returns the shape of a schema. References to schemas without a name are replaced. */
  shapeOf(schema: ContractSchema): TypeShape {
    const parts = partsOf(schema)
    const references = parts.flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [titleIn($ref)] : [],
    )
    const [title] = references
    if (title !== undefined && references.length === 1 && !parts.some(restricts))
      return this.#referenceTo(title)
    return this.#shapeOfMerged(merge(parts.flatMap((part) => this.#resolved(part))))
  }

  #referenceTo(title: string): TypeShape {
    const { name, shape, nullable } = this.definition(title)
    const base: TypeShape = name === undefined ? shape : { kind: 'reference', name }
    return nullable ? union([base, { kind: 'null' }]) : base
  }

  /** Returns the parts of a schema and of the schemas to which it refers. */
  #resolved(part: Keywords): Keywords[] {
    if (typeof part.$ref !== 'string') return [part]
    const { $ref, ...others } = part
    const target = this.#schemas.get(titleIn($ref)) ?? true
    return [others, ...partsOf(target).flatMap((one) => this.#resolved(one))]
  }

  #shapeOfMerged({ alternatives, ...keywords }: Merged): TypeShape {
    // A list whose members have no type only restricts values, for example to those with a field.
    const list = alternatives.find((members) => members.every((one) => this.#hasType(one)))
    if (list !== undefined)
      return union(
        list.filter((one) => one !== false).map((one) => this.shapeOf({ allOf: [keywords, one] })),
      )
    return union(typesOf(keywords).map((type) => this.#shapeOfType(type, keywords)))
  }

  #hasType(schema: ContractSchema): boolean {
    return (
      schema === false ||
      partsOf(schema).some(({ type, $ref, enum: values, const: value }) =>
        [type, $ref, values, value].some((keyword) => keyword !== undefined),
      )
    )
  }

  #shapeOfType(type: string, keywords: Omit<Merged, 'alternatives'>): TypeShape {
    switch (type) {
      case 'string': {
        const values = keywords.enum?.filter((value) => typeof value === 'string')
        return values === undefined ? { kind: 'string' } : { kind: 'enum', values }
      }
      case 'boolean':
      case 'integer':
      case 'number':
      case 'null':
        return { kind: type }
      case 'array':
        return { kind: 'array', items: this.shapeOf(keywords.items ?? true) }
      case 'object':
        return Object.keys(keywords.properties).length > 0
          ? { kind: 'object', properties: this.#propertiesOf(keywords) }
          : { kind: 'map', values: this.shapeOf(keywords.additionalProperties ?? true) }
      default:
        return { kind: 'any' }
    }
  }

  #propertiesOf({
    properties,
    required,
  }: Omit<Merged, 'alternatives'>): Map<string, ShapeProperty> {
    return new Map(
      Object.entries(properties)
        .filter(([, schema]) => schema !== false)
        .map(([name, schema]) => [
          name,
          {
            shape: this.shapeOf(schema),
            required: required.includes(name),
            description: this.#descriptionOf(schema),
          },
        ]),
    )
  }

  /**
   * Returns the description of a schema, with its only value. If it has neither, that of the schema
   * to which it refers, unless the named type shows it.
   */
  #descriptionOf(schema: ContractSchema): string | undefined {
    const parts = partsOf(schema)
    const value = parts.find((part) => part.const !== undefined)?.const
    const text = this.#textOf(parts)
    if (value === undefined || text?.includes('lways')) return text
    return `${text === undefined ? '' : `${text} `}Always ${JSON.stringify(value)}.`
  }

  #textOf(parts: readonly Keywords[]): string | undefined {
    const own = parts.find(({ description }) => description !== undefined)?.description
    if (typeof own === 'string') return own
    const reference = parts.find(({ $ref }) => $ref !== undefined)?.$ref
    if (typeof reference !== 'string') return undefined
    const title = titleIn(reference)
    const definition = this.definition(title)
    return definition.name === title && !definition.nullable ? undefined : definition.description
  }
}

/** The keywords that types express, of all parts of a schema. */
interface Merged {
  type: unknown
  enum: readonly unknown[] | undefined
  const: unknown
  items: ContractSchema | undefined
  additionalProperties: ContractSchema | undefined
  properties: Record<string, ContractSchema>
  required: readonly string[]
  /** The values of `anyOf` and `oneOf`. */
  alternatives: readonly (readonly ContractSchema[])[]
}

function merge(parts: readonly Keywords[]): Merged {
  const last = (keyword: string) => parts.findLast((part) => part[keyword] !== undefined)?.[keyword]
  const properties: Record<string, ContractSchema> = {}
  for (const [name, schema] of parts.flatMap((part) =>
    Object.entries((part.properties ?? {}) as Record<string, ContractSchema>),
  ))
    properties[name] = name in properties ? { allOf: [properties[name], schema] } : schema
  return {
    type: last('type'),
    enum: last('enum') as unknown[] | undefined,
    const: last('const'),
    items: last('items') as ContractSchema | undefined,
    additionalProperties: last('additionalProperties') as ContractSchema | undefined,
    properties,
    required: parts.flatMap(({ required }) => (required ?? []) as string[]),
    alternatives: parts.flatMap(
      ({ anyOf, oneOf }) =>
        [anyOf, oneOf].filter((list) => list !== undefined) as ContractSchema[][],
    ),
  }
}

/** Returns a schema and the members of its `allOf`, without that keyword. */
function partsOf(schema: ContractSchema): Keywords[] {
  if (typeof schema === 'boolean') return []
  const { allOf, ...own } = schema
  return [own, ...((allOf ?? []) as ContractSchema[]).flatMap(partsOf)]
}

const shapingKeywords = ['type', 'enum', 'const', 'items', 'additionalProperties', 'anyOf', 'oneOf']

const restricts = ({ properties = {}, ...others }: Keywords): boolean =>
  Object.keys(properties as object).length > 0 ||
  shapingKeywords.some((keyword) => others[keyword] !== undefined)

/** Returns the JSON Schema types that the keywords allow; `any` if they state none. */
function typesOf(keywords: Omit<Merged, 'alternatives'>): string[] {
  const { type } = keywords
  if (Array.isArray(type)) return type as string[]
  if (typeof type === 'string') return [type]
  if (keywords.const !== undefined) return [typeOfValue(keywords.const)]
  if (keywords.enum !== undefined) return [...new Set(keywords.enum.map(typeOfValue))]
  if (Object.keys(keywords.properties).length > 0) return ['object']
  return [keywords.items === undefined ? 'any' : 'array']
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

const freeObject: TypeShape = { kind: 'map', values: { kind: 'any' } }

/** Returns the shape of values of any of the members. */
function union(shapes: readonly TypeShape[]): TypeShape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape]))
  if (flat.some(({ kind }) => kind === 'any')) return { kind: 'any' }
  const distinct = [...new Map(flat.map((shape) => [fieldsOf(shape), shape])).values()]
  return distinct.length === 1 ? distinct[0]! : { kind: 'union', members: distinct }
}

/** Returns the shape of the values that are not null. The same object if null is not a value. */
function withoutNull(shape: TypeShape): TypeShape {
  if (shape.kind !== 'union' || !shape.members.some(({ kind }) => kind === 'null')) return shape
  return union(shape.members.filter(({ kind }) => kind !== 'null'))
}

/** Returns a string that is equal for shapes that differ only in descriptions. */
const fieldsOf = (shape: TypeShape): string =>
  JSON.stringify(shape, (key, value: unknown) => {
    if (key === 'description') return undefined
    return value instanceof Map ? [...(value as Map<string, unknown>)] : value
  })

/** Returns the title in a reference such as `#/$defs/User`. */
const titleIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
