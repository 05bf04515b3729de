import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readYaml, root } from './house.ts'

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
 * Reads an OpenAPI or AsyncAPI document and moves what it takes from components/<section>.yaml, or from a file in components/<section>/, into its own
 * components.<section>, so that names stay and each thing stands once.
 */
export function bundle(file: string): AnyJson {
  const texts = new Map<string, AnyJson>()
  const load = (path: string) => {
    if (!texts.has(path)) texts.set(path, readYaml(readFileSync(path, 'utf8')) as AnyJson)
    return texts.get(path)!
  }
  const sections: { [section: string]: AnyJson } = {}
  const move = (node: any, from: string): any => {
    if (Array.isArray(node)) return node.map((member) => move(member, from))
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref' ? name(member as string, from) : move(member, from),
    ])
    return Object.fromEntries(entries)
  }
  const name = (ref: string, from: string): string => {
    const [path = '', pointer = ''] = ref.split('#/')
    const target = path ? join(dirname(from), path) : from
    if (target === file) return ref
    const section = (sections[sectionOf(target)] ??= {})
    if (!(pointer in section)) {
      const found = load(target)[pointer]
      if (found === undefined) throw new Error(`${from}: ${ref} leads nowhere`)
      section[pointer] = null // taken, in case it refers to itself
      section[pointer] = move(found, target)
    }
    return `#/components/${sectionOf(target)}/${pointer}`
  }
  const { components = {}, ...rest } = load(file)
  const document = move(rest, file) as AnyJson
  for (const [section, members] of Object.entries(components as AnyJson)) {
    for (const [key, entry] of Object.entries(members as AnyJson)) {
      if (typeof entry.$ref === 'string') name(entry.$ref, file)
      else (sections[section] ??= {})[key] = move(entry, file)
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

/** components/schemas.yaml and components/schemas/objects.yaml both hold schemas. */
export const sectionOf = (path: string) =>
  path.split(`${sep}components${sep}`).at(-1)!.split(sep)[0]!.replace('.yaml', '')

export const readContract = (name: string, folder = 'openapi') =>
  bundle(join(root, 'specs', folder, name + '.yaml'))

/** What a node is after following its reference; what stands beside the reference goes first. */
export function resolve<T extends AnyJson>(document: AnyJson, node: T): T {
  if (typeof node.$ref !== 'string') return node
  const { $ref, ...beside } = node
  let target: any = document
  for (const step of ($ref as string).slice(2).split('/')) target = target?.[step]
  if (target === undefined) throw new Error(`${$ref} leads nowhere`)
  return { ...resolve(document, target), ...beside } as unknown as T
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export function endpoints(document: AnyJson): Endpoint[] {
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

/** The name of the component schema of a response's body. */
export function bodySchema(document: AnyJson, operation: AnyJson, status: string): string {
  const response = resolve(document, operation.responses[status] ?? {})
  const ref: unknown = response.content?.['application/json']?.schema?.$ref
  if (typeof ref !== 'string')
    throw new Error(`${operation.operationId} ${status}: the body is no named schema`)
  return ref.split('/').at(-1)!
}
