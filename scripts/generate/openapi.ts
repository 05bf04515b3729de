import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readYaml, root } from './source.ts'
import { atStrictness, type Strictness } from './strictness.ts'

export type AnyJson = { [key: string]: any }
export interface Schema extends AnyJson {
  type?: string | string[]
  properties?: { [name: string]: Schema | boolean }
  items?: Schema
  required?: string[]
  allOf?: Schema[]
}
interface Endpoint {
  path: string
  method: string
  operation: AnyJson
  parameters: AnyJson[]
}

/**
 * Reads an OpenAPI or AsyncAPI document and adds the components that it references in other files.
 * A component from components/<section>.yaml, or from a file in components/<section>/, becomes a
 * member of components.<section>. Components keep their names, and each is added once. Throws if a
 * reference points to nothing.
 */
export function bundle(file: string, strictness: Strictness = 'stated'): AnyJson {
  const files = new Map<string, AnyJson>()
  const load = (path: string) => {
    if (!files.has(path)) {
      const parsed = readYaml(readFileSync(path, 'utf8'))
      files.set(path, atStrictness(parsed, strictness) as AnyJson)
    }
    return files.get(path)!
  }
  const sections: { [section: string]: AnyJson } = {}
  const localizeReferences = (node: any, from: string): any => {
    if (Array.isArray(node)) return node.map((member) => localizeReferences(member, from))
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref' ? localReference(member as string, from) : localizeReferences(member, from),
    ])
    return Object.fromEntries(entries)
  }
  const localReference = (ref: string, from: string): string => {
    const [path = '', pointer = ''] = ref.split('#/')
    const referencedFile = path ? join(dirname(from), path) : from
    if (referencedFile === file) return ref
    const section = (sections[sectionOf(referencedFile)] ??= {})
    if (!(pointer in section)) {
      const found = load(referencedFile)[pointer]
      if (found === undefined) throw new Error(`${from}: ${ref} does not exist`)
      section[pointer] = null // reserves the name, in case the component refers to itself
      section[pointer] = localizeReferences(found, referencedFile)
    }
    return `#/components/${sectionOf(referencedFile)}/${pointer}`
  }
  const { components = {}, ...rest } = load(file)
  const document = localizeReferences(rest, file) as AnyJson
  for (const [section, members] of Object.entries(components as AnyJson)) {
    for (const [key, entry] of Object.entries(members as AnyJson)) {
      if (typeof entry.$ref === 'string') localReference(entry.$ref, file)
      else (sections[section] ??= {})[key] = localizeReferences(entry, file)
    }
  }
  const sorted = (members: AnyJson) =>
    Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    ...document,
    components: sorted(
      Object.fromEntries(
        Object.entries(sections).map(([section, members]) => [section, sorted(members)]),
      ),
    ),
  }
}

/**
 * Returns the section of a path: "schemas" for components/schemas.yaml and
 * components/schemas/x.yaml.
 */
export const sectionOf = (path: string) =>
  path.split(`${sep}components${sep}`).at(-1)!.split(sep)[0]!.replace('.yaml', '')

/** Reads a document of specs/, with all components that it references. */
export const readContract = (
  name: string,
  strictness: Strictness = 'stated',
  folder = name === 'events' ? 'asyncapi' : 'openapi',
) => bundle(join(root, 'specs', folder, name + '.yaml'), strictness)

/**
 * Resolves the `$ref` of a node. Merges the result with the members next to `$ref`, which take
 * precedence. Returns a node without `$ref` unchanged. Throws if `$ref` points to nothing.
 */
export function resolve<T extends AnyJson>(document: AnyJson, node: T): T {
  if (typeof node.$ref !== 'string') return node
  const { $ref, ...siblings } = node
  let referenced: any = document
  for (const step of ($ref as string).slice(2).split('/')) referenced = referenced?.[step]
  if (referenced === undefined) throw new Error(`${$ref} does not exist`)
  return { ...resolve(document, referenced), ...siblings } as unknown as T
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export function endpointsOf(document: AnyJson): Endpoint[] {
  return Object.entries(document.paths as AnyJson).flatMap(([path, item]) =>
    Object.entries(item as AnyJson)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({
        path,
        method,
        operation,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
          resolve(document, parameter),
        ),
      })),
  )
}

/**
 * Returns the name of the schema of a JSON response body. Throws if the schema is not a component.
 */
export function bodySchemaName(document: AnyJson, operation: AnyJson, status: string): string {
  const response = resolve(document, operation.responses[status] ?? {})
  const ref: unknown = response.content?.['application/json']?.schema?.$ref
  if (typeof ref !== 'string')
    throw new Error(`${operation.operationId} ${status}: the body is not a named schema`)
  return ref.split('/').at(-1)!
}
