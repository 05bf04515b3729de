import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { contractNames } from '../../../contracts.ts'
import { packageRoot } from '../../../package.ts'
import { filesOf, type TypeStrictness } from '../contract-files.ts'
import { namedShapes } from './files.ts'
import type { NamedShape, TypeShape } from './shapes.ts'

/** A sample value of a type of a contract. */
export interface ContractExample {
  contract: string
  type: string
  /** Where the value comes from. */
  source: string
  value: Json
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * Returns the sample payloads of all events, the examples of tools, and the examples of requests
 * and responses in the other contracts, without those whose type has no fields. Some examples have
 * fields that their type does not declare, because the contracts allow them; the code ignores these
 * fields, so they are removed here. The sample payloads have none. Adds an example for each other
 * value of an enumeration.
 */
export async function contractExamples(strictness: TypeStrictness): Promise<ContractExample[]> {
  const named = new Map<string, ReadonlyMap<string, NamedShape>>()
  for (const contract of contractNames()) named.set(contract, await typesOf(contract, strictness))
  const tried = new Set<string>()
  return [...payloads(), ...toolExamples(), ...bodies()].flatMap((example) => {
    const types = named.get(example.contract)!
    const shape = types.get(example.type)?.shape
    if (shape?.kind !== 'object') return []
    const value = declaredPart(example.value, shape, types)
    const variants = enumVariants(value, shape, types)
      .map(([path, variant]) => ({ ...example, source: `${example.type}${path}`, value: variant }))
      .filter(({ contract, source }) => {
        const isNew = !tried.has(`${contract} ${source}`)
        tried.add(`${contract} ${source}`)
        return isNew
      })
    return [{ ...example, value }, ...variants]
  })
}

/** Returns copies of a value with another value of one enumeration, each with the path to it. */
function enumVariants(
  value: Json,
  shape: TypeShape,
  types: ReadonlyMap<string, NamedShape>,
): [path: string, variant: Json][] {
  if (shape.kind === 'reference') return enumVariants(value, types.get(shape.name)!.shape, types)
  if (shape.kind === 'enum') return shape.values.map((other) => [`=${other}`, other])
  if (shape.kind !== 'object' || typeof value !== 'object') return []
  return Object.entries(value as { [name: string]: Json }).flatMap(([name, field]) =>
    enumVariants(field, shape.properties.get(name)!.shape, types).map(
      ([path, variant]) =>
        [`.${name}${path}`, { ...(value as { [name: string]: Json }), [name]: variant }] as [
          string,
          Json,
        ],
    ),
  )
}

/** Returns a value without the fields that its type does not declare. */
function declaredPart(value: Json, shape: TypeShape, types: ReadonlyMap<string, NamedShape>): Json {
  if (typeof value !== 'object' || value === null) return value
  switch (shape.kind) {
    case 'reference':
      return declaredPart(value, types.get(shape.name)!.shape, types)
    case 'array':
      return (value as Json[]).map((item) => declaredPart(item, shape.items, types))
    case 'map':
      return mapFields(value, (field) => declaredPart(field, shape.values, types))
    case 'object':
      return mapFields(value, (field, name) => {
        const property = shape.properties.get(name)
        return property === undefined ? undefined : declaredPart(field, property.shape, types)
      })
    case 'union': {
      const list = Array.isArray(value)
      const member = shape.members.find(({ kind }) =>
        list ? kind === 'array' : ['reference', 'object', 'map'].includes(kind),
      )!
      return declaredPart(value, member, types)
    }
    default:
      return value
  }
}

function mapFields(value: Json, map: (field: Json, name: string) => Json | undefined): Json {
  const fields = Object.entries(value as { [name: string]: Json })
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const mapped = map(field, name)
      return mapped === undefined ? [] : [[name, mapped] as const]
    }),
  )
}

/** Returns the named types of a contract. */
export async function typesOf(
  contract: string,
  strictness: TypeStrictness,
): Promise<Map<string, NamedShape>> {
  const options = { language: 'json-schema', strictness, package: undefined } as const
  const { files } = await filesOf(contract, options)
  const schemas = [...files]
    .filter(([path]) => path.endsWith('.json'))
    .map(([path, text]) => [basename(path, '.json'), text as string] as const)
  return namedShapes(new Map(schemas))
}

const root = packageRoot()
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Json

export function payloads(): ContractExample[] {
  return readdirSync(join(root, 'specs/examples/events')).flatMap((event) =>
    readdirSync(join(root, 'specs/examples/events', event)).map((file) => ({
      contract: 'events',
      type: `${event.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Payload`,
      source: `${event}/${file}`,
      value: read(join('specs/examples/events', event, file)),
    })),
  )
}

function toolExamples(): ContractExample[] {
  return readdirSync(join(root, 'specs/examples/tools')).map((file) => ({
    contract: 'tools',
    type: file.split('.')[0]!,
    source: file,
    value: read(join('specs/examples/tools', file)),
  }))
}

/** Returns the examples of the bodies in the OpenAPI documents whose schema has a name. */
function bodies(): ContractExample[] {
  const documents = {
    'images-account': 'images',
    'images-batch': 'images',
    'images-upload': 'images',
    hooks: 'hooks',
    auth: 'auth',
  }
  return Object.entries(documents).flatMap(([name, contract]) => {
    const document = read(join('specs/bundled', `${name}.json`))
    return mediaTypesIn(document).flatMap(({ schema, example, examples = {} }) => {
      const type = schema?.$ref?.split('/').at(-1)
      if (type === undefined) return []
      const values = Object.values(examples).map((one) => resolved(document, one).value)
      return [...(example === undefined ? [] : [example]), ...values].map((value) => ({
        contract,
        type,
        source: `${name}.json`,
        value: value as Json,
      }))
    })
  })
}

interface MediaType {
  schema?: { $ref?: string }
  example?: Json
  examples?: Record<string, { $ref?: string; value?: Json }>
}

function mediaTypesIn(value: Json): MediaType[] {
  if (typeof value !== 'object' || value === null) return []
  const content = Array.isArray(value) ? undefined : value['content']
  const json =
    typeof content === 'object' && content !== null && !Array.isArray(content)
      ? content['application/json']
      : undefined
  return [
    ...(json === undefined ? [] : [json as MediaType]),
    ...Object.values(value).flatMap(mediaTypesIn),
  ]
}

function resolved(document: Json, example: { $ref?: string; value?: Json }): { value?: Json } {
  if (example.$ref === undefined) return example
  const target = example.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((part, name) => (part as { [name: string]: Json })[name]!, document)
  return target as { value?: Json }
}

/** Returns a value without the fields that are null. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return mapFields(value, (field) => (field === null ? undefined : withoutNulls(field)))
}
