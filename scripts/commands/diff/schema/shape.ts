import { follow, isObject, resolve, type DocumentJson, type Located } from '../documents.ts'

/**
 * The types of values. A `fraction` is a number that is not an integer; the type `number` of JSON
 * Schema contains both.
 */
export type Atom = 'null' | 'boolean' | 'object' | 'array' | 'string' | 'integer' | 'fraction'
const atoms: readonly Atom[] = [
  'null',
  'boolean',
  'object',
  'array',
  'string',
  'integer',
  'fraction',
]

/** Schemas that all apply to a value. */
export type Parts = readonly Located[]

/** Schemas of which one applies (`oneOf`), or one or more (`anyOf`). */
export interface Union {
  readonly keyword: 'oneOf' | 'anyOf'
  readonly branches: readonly Located[]
}

/** What the schemas of a value require together, with `$ref` and `allOf` resolved. */
export interface Shape {
  readonly types: ReadonlySet<Atom>
  /** The allowed values (`enum`, `const`) as JSON. Undefined if every value is allowed. */
  readonly values: ReadonlySet<string> | undefined
  /** The limits, by keyword. */
  readonly limits: ReadonlyMap<string, number>
  /** Keywords that restrict values, but have no order, such as `pattern`: their values as JSON. */
  readonly conditions: ReadonlyMap<string, ReadonlySet<string>>
  readonly properties: ReadonlyMap<string, Parts>
  readonly patternProperties: ReadonlyMap<string, Parts>
  readonly required: ReadonlySet<string>
  readonly additionalProperties: Parts
  readonly items: Parts
  readonly prefixItems: readonly Parts[]
  readonly unions: readonly Union[]
  /** The schemas without their unions. */
  readonly rest: Parts
  /** The names of the schemas that are references. */
  readonly names: readonly string[]
  /** Keywords that do not restrict values. */
  readonly annotations: ReadonlyMap<string, string>
}

const lowerLimits = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
]
const upperLimits = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
]

/** Whether a greater value of a limit accepts fewer values. Undefined for other keywords. */
export const isLowerLimit = (keyword: string): boolean => lowerLimits.includes(keyword)
const isLimit = (keyword: string) => isLowerLimit(keyword) || upperLimits.includes(keyword)

const conditionKeywords = [
  ...['pattern', 'format', 'multipleOf', 'uniqueItems', 'not', 'contains', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties'],
  ...['unevaluatedItems', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]
const conditional = ['if', 'then', 'else']
const structural = [
  ...['$ref', 'allOf', 'oneOf', 'anyOf', 'type', 'nullable', 'enum', 'const', 'properties'],
  ...['required', 'additionalProperties', 'patternProperties', 'items', 'prefixItems'],
  ...['$id', '$schema', '$defs', 'definitions', '$anchor'],
]

export function shapeOf(parts: Parts): Shape {
  const { flat, isNullable, unions, names } = flatten(parts)
  let types = new Set(atoms)
  let values: Set<string> | undefined
  const limits = new Map<string, number>()
  const conditions = new Map<string, Set<string>>()
  const properties = new Map<string, Located[]>()
  const patternProperties = new Map<string, Located[]>()
  const required = new Set<string>()
  const additionalProperties: Located[] = []
  const items: Located[] = []
  const prefixItems: Located[][] = []
  const annotations = new Map<string, string>()
  const at = (value: unknown, file: string): Located => ({ value, file })

  for (const { value, file } of flat) {
    if (value === false) types = new Set()
    if (!isObject(value)) continue
    const own = typesOf(value)
    types = new Set([...types].filter((type) => own.has(type)))
    const allowed = valuesOf(value)
    if (allowed !== undefined)
      values =
        values === undefined ? allowed : new Set([...values].filter((each) => allowed.has(each)))
    for (const [keyword, limit] of limitsOf(value)) {
      const other = limits.get(keyword)
      const strictest = isLowerLimit(keyword) ? Math.max : Math.min
      limits.set(keyword, other === undefined ? limit : strictest(other, limit))
    }
    for (const [name, schema] of membersOf(value.properties))
      properties.set(name, [...(properties.get(name) ?? []), at(schema, file)])
    for (const [name, schema] of membersOf(value.patternProperties))
      patternProperties.set(name, [...(patternProperties.get(name) ?? []), at(schema, file)])
    for (const name of Array.isArray(value.required) ? value.required : [])
      required.add(name as string)
    if (value.additionalProperties !== undefined)
      additionalProperties.push(at(value.additionalProperties, file))
    // Before draft 2020-12, a list of `items` had the meaning of `prefixItems`.
    const prefix = value.prefixItems ?? (Array.isArray(value.items) ? value.items : [])
    ;(prefix as unknown[]).forEach((schema, index) =>
      (prefixItems[index] ??= []).push(at(schema, file)),
    )
    if (value.items !== undefined && !Array.isArray(value.items)) items.push(at(value.items, file))
    for (const keyword of conditionKeywords)
      if (keyword in value && !(keyword === 'uniqueItems' && value.uniqueItems === false))
        addTo(conditions, keyword, canonical(at(value[keyword], file)))
    if ('if' in value)
      addTo(
        conditions,
        'if',
        conditional.map((key) => canonical(at(value[key] ?? true, file))).join(),
      )
    for (const [keyword, annotation] of Object.entries(value)) {
      if (!isKnown(keyword))
        annotations.set(keyword, [annotations.get(keyword), JSON.stringify(annotation)].join())
    }
  }
  if (isNullable) {
    types.add('null')
    values?.add('null')
  }
  return {
    types,
    values,
    limits,
    conditions,
    properties,
    patternProperties,
    required,
    additionalProperties,
    items,
    prefixItems,
    unions,
    rest: flat,
    names,
    annotations,
  }
}

const isKnown = (keyword: string) =>
  structural.includes(keyword) ||
  conditionKeywords.includes(keyword) ||
  conditional.includes(keyword) ||
  isLimit(keyword)

const membersOf = (value: unknown) => (isObject(value) ? Object.entries(value) : [])

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, new Set([...(map.get(key) ?? []), value]))
}

interface Flat {
  flat: Located[]
  /** Whether a union adds null to the values of its only other branch. */
  isNullable: boolean
  unions: Union[]
  names: string[]
}

/** Resolves `$ref`, `allOf`, unions with one branch, and unions of one branch and null. */
function flatten(parts: Parts): Flat {
  const found: Flat = { flat: [], isNullable: false, unions: [], names: [] }
  const visited = new Set<unknown>()
  const visit = (part: Located): void => {
    const { value, file } = part
    if (!isObject(value)) return void found.flat.push(part)
    if (visited.has(value)) return
    visited.add(value)
    if (typeof value.$ref === 'string') {
      found.names.push(value.$ref.split('/').at(-1)!)
      visit(resolve(value.$ref, file))
    }
    found.flat.push({ value: withoutUnions(value), file })
    for (const each of Array.isArray(value.allOf) ? value.allOf : []) visit({ value: each, file })
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const branches = value[keyword]
      if (!Array.isArray(branches)) continue
      const others = branches.filter((branch) => !isNull(branch))
      if (others.length === 1) {
        found.isNullable ||= others.length < branches.length
        visit({ value: others[0] as unknown, file })
      } else
        found.unions.push({
          keyword,
          branches: branches.map((branch: unknown) => ({ value: branch, file })),
        })
    }
  }
  for (const part of parts) visit(part)
  return found
}

const isNull = (branch: unknown) =>
  isObject(branch) && (branch.type === 'null' || branch.const === null)

/** The copies, so that one schema always has one copy, by which comparisons recognize it. */
const copies = new WeakMap<DocumentJson, DocumentJson>()

function withoutUnions(schema: DocumentJson): DocumentJson {
  const known = copies.get(schema)
  if (known !== undefined) return known
  const { $ref: _, allOf: __, oneOf: ___, anyOf: ____, ...rest } = schema
  copies.set(schema, rest)
  return rest
}

function typesOf({ type, nullable, enum: values }: DocumentJson): ReadonlySet<Atom> {
  if (type === undefined) return new Set(atoms)
  const names = (Array.isArray(type) ? type : [type]) as string[]
  const own = names.flatMap((name): Atom[] =>
    name === 'number' ? ['integer', 'fraction'] : [name as Atom],
  )
  const isNullable = nullable === true && (!Array.isArray(values) || values.includes(null))
  return new Set(isNullable ? [...own, 'null'] : own)
}

function valuesOf(schema: DocumentJson): Set<string> | undefined {
  if ('const' in schema) return new Set([JSON.stringify(schema.const)])
  if (!Array.isArray(schema.enum)) return undefined
  return new Set(schema.enum.map((value) => JSON.stringify(value)))
}

/** Returns the limits of a schema. In OpenAPI 3.0, `exclusiveMinimum` is a boolean. */
function limitsOf(schema: DocumentJson): [keyword: string, limit: number][] {
  return Object.entries(schema).flatMap(([keyword, limit]): [string, number][] => {
    if (typeof limit !== 'number' || !isLimit(keyword)) return []
    const exclusive = `exclusive${keyword[0]!.toUpperCase()}${keyword.slice(1)}`
    return [[schema[exclusive] === true ? exclusive : keyword, limit]]
  })
}

/** Returns a schema as JSON with sorted keys and resolved references, without annotations. */
export function canonical(node: Located, within: readonly unknown[] = []): string {
  const { value, file } = node
  if (Array.isArray(value))
    return `[${value.map((each: unknown) => canonical({ value: each, file }, within)).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  if (typeof value.$ref === 'string') {
    const referenced = follow(node)
    if (within.includes(referenced.value)) return JSON.stringify(value.$ref)
    return canonical(referenced, [...within, referenced.value])
  }
  const members = Object.entries(value)
    .filter(([key]) => !['description', 'title', 'examples', '$comment'].includes(key))
    .filter(([key]) => !key.startsWith('x-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical({ value: each, file }, within)}`)
  return `{${members.join()}}`
}

/** Returns the types of a shape as JSON Schema names them. */
export function nameTypes(types: ReadonlySet<Atom>): string {
  if (types.size === 0) return 'no value'
  if (types.size === atoms.length) return 'any type'
  const names = [...types].map((type) =>
    type === 'fraction' || (type === 'integer' && types.has('fraction')) ? 'number' : type,
  )
  return [...new Set(names)].join(' or ')
}
