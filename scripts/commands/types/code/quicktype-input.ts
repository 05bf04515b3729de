import type { NamedShape, TypeShape, ShapeProperty } from './shapes.ts'

/** A JSON Schema for quicktype, and the descriptions that it leaves out. */
export interface QuicktypeInput {
  schema: object
  /** Descriptions of types, by the name of the type. */
  types: ReadonlyMap<string, string>
  /** Descriptions of properties, by the names of the type and the property. */
  properties: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/**
 * Returns the types as one JSON Schema with these sections: `definitions`, and `roots`, the objects
 * to which no other type refers. Every type has a title, because quicktype invents names such as
 * PurpleStatus for types with equal names: a type without a name in the contract is named after the
 * property and its type.
 *
 * The schema contains no descriptions, because quicktype adds the description of a property to that
 * of its type.
 */
export function quicktypeInput(named: ReadonlyMap<string, NamedShape>): QuicktypeInput {
  const types = new Map<string, string>()
  const properties = new Map<string, Map<string, string>>()
  const referenced = new Set<string>()

  const schemaOf = (shape: TypeShape, title: string): object => {
    switch (shape.kind) {
      case 'any':
        return {}
      case 'reference':
        referenced.add(shape.name)
        return { $ref: `#/definitions/${shape.name}` }
      case 'enum':
        return { title, type: 'string', enum: shape.values }
      case 'array':
        return { type: 'array', items: schemaOf(shape.items, `${title}Item`) }
      case 'map':
        return { type: 'object', additionalProperties: schemaOf(shape.values, `${title}Value`) }
      case 'object':
        return objectOf(shape.properties, title)
      case 'union':
        return unionOf(shape.members, title)
      default:
        return { type: shape.kind }
    }
  }

  const objectOf = (fields: ReadonlyMap<string, ShapeProperty>, title: string): object => {
    const described = new Map<string, string>()
    properties.set(title, described)
    const schemas = [...fields].map(([name, { shape, description }]) => {
      const own = `${title}${pascalCase(name)}`
      if (description !== undefined) {
        described.set(name, description)
        types.set(own, description)
      }
      return [name, schemaOf(shape, own)]
    })
    return {
      title,
      type: 'object',
      properties: Object.fromEntries(schemas) as object,
      required: [...fields].filter(([, { required }]) => required).map(([name]) => name),
      // quicktype sorts properties by name, unless they are in this list.
      quicktypePropertyOrder: [...fields.keys()],
    }
  }

  const unionOf = (members: readonly TypeShape[], title: string): object => {
    const others = members.filter(({ kind }) => kind !== 'null')
    const ofType = (member: TypeShape) =>
      schemaOf(member, others.length === 1 ? title : `${title}${pascalCase(member.kind)}`)
    return {
      ...(others.length === 1 ? {} : { title }),
      anyOf: members.map(ofType),
    }
  }

  const definitions: Record<string, object> = {}
  for (const [name, { shape, description }] of named) {
    if (description !== undefined) types.set(name, description)
    definitions[name] = schemaOf(shape, name)
  }
  const roots = [...named]
    .filter(([name, { shape }]) => shape.kind === 'object' && !referenced.has(name))
    .map(([name]) => [name, { $ref: `#/definitions/${name}` }])
  return { schema: { definitions, roots: Object.fromEntries(roots) as object }, types, properties }
}

/** Returns a name such as `object_kind` or `X-Hook-Event` as `ObjectKind` or `XHookEvent`. */
export const pascalCase = (name: string): string =>
  (name.match(/[A-Za-z0-9]+/g) ?? [])
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join('')
