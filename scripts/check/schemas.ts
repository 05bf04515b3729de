// What holds for the schemas of every contract, whether OpenAPI or AsyncAPI holds them.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parse } from 'yaml'
import { root } from '../generate/house.ts'
import type { AnyJson } from '../generate/openapi.ts'
import { newAjv } from '../generate/validators.ts'

export type Say = (place: string, problem: string) => void
export type Judge = (place: string, schema: AnyJson, value: unknown) => void

/** Judges values by schemas that refer to the components of a document. */
export function judgeOf(document: AnyJson, say: Say): Judge {
  const ajv = newAjv({ strict: false })
  ajv.addSchema({ $id: 'https://touchstone.example/document', ...document })
  return (place, schema, value) => {
    const validate = ajv.compile(rebased(schema))
    if (!validate(value))
      say(
        place,
        validate.errors!.map((error) => `${error.instancePath} ${error.message}`).join('; '),
      )
  }
}

/** The links of a bundled document to the catalogue; the examples, the titles and the openness of its schemas. */
export function checkSchemas(
  document: AnyJson,
  rows: ReadonlySet<string>,
  say: Say,
  judge: Judge,
): void {
  walk(document, '#', (place, node) => {
    checkRows(node, rows, (problem) => say(place, problem))
    if (place.startsWith('#/components/schemas/') && Array.isArray(node.examples))
      node.examples.forEach((value: unknown) => judge(`${place}, example ${value}`, node, value))
  })
  for (const [schema, found] of Object.entries(document.components.schemas as AnyJson)) {
    if (found.title !== schema) say(`schema ${schema}`, 'is not titled by its name')
    if (closed(found)) say(`schema ${schema}`, 'forbids further members')
  }
}

/** The files of components as they are: links to the catalogue also of what no document takes, and that documents take it all. */
export function checkFiles(
  folder: string,
  documents: AnyJson[],
  rows: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  const files = readdirSync(join(root, folder, 'components'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
  for (const file of files) {
    const section = file.split(sep)[0]!.replace('.yaml', '')
    for (const [name, component] of Object.entries(
      parse(readFileSync(join(root, folder, 'components', file), 'utf8')) as AnyJson,
    )) {
      const say = (problem: string) =>
        problems.push(`${folder}/components/${file}, ${name}: ${problem}`)
      walk(component, '#', (_, node) => checkRows(node, rows, say))
      if (!documents.some((document) => name in (document.components[section] ?? {})))
        say('no document takes it')
    }
  }
  return problems
}

function checkRows(node: AnyJson, rows: ReadonlySet<string>, say: (problem: string) => void): void {
  for (const [key, row] of Object.entries(node)) {
    if (key.startsWith('x-requirement') && !rows.has(row as string))
      say(`${key} names ${row}, which the catalogue has not`)
  }
}

/** Whether a schema closes an object somewhere. */
function closed(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return (
    'additionalProperties' in node ||
    'unevaluatedProperties' in node ||
    Object.values(node).some(closed)
  )
}

function rebased(node: any): any {
  if (Array.isArray(node)) return node.map(rebased)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref' ? 'https://touchstone.example/document' + (member as string) : rebased(member),
    ]),
  )
}

/** Meets every object but the values of examples. */
function walk(node: unknown, place: string, visit: (place: string, node: AnyJson) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(place, node)
  for (const [key, member] of Object.entries(node))
    if (key !== 'value' || place.endsWith('/properties')) walk(member, `${place}/${key}`, visit)
}
