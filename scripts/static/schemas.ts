// Rules for the schemas of every OpenAPI and AsyncAPI contract.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parse } from 'yaml'
import { root } from '../generate/source.ts'
import type { AnyJson } from '../generate/openapi.ts'
import { newAjv } from '../generate/validators.ts'

export type ReportProblem = (place: string, problem: string) => void
export type SchemaValidator = (place: string, schema: AnyJson, value: unknown) => void

/** Returns a validator for schemas that refer to components of the document. */
export function newSchemaValidator(document: AnyJson, report: ReportProblem): SchemaValidator {
  const ajv = newAjv({ strict: false })
  ajv.addSchema({ $id: 'https://touchstone.example/document', ...document })
  return (place, schema, value) => {
    const validate = ajv.compile(rebaseRefs(schema))
    if (!validate(value))
      report(
        place,
        validate.errors!.map((error) => `${error.instancePath} ${error.message}`).join('; '),
      )
  }
}

/**
 * Checks a bundled document: its requirement ids, and the examples and titles of its schemas. Its
 * schemas must allow additional properties.
 */
export function checkSchemas(
  document: AnyJson,
  requirementIds: ReadonlySet<string>,
  report: ReportProblem,
  validateExample: SchemaValidator,
): void {
  walk(document, '#', (place, node) => {
    checkRequirementIds(node, requirementIds, (problem) => report(place, problem))
    if (place.startsWith('#/components/schemas/') && Array.isArray(node.examples))
      node.examples.forEach((value: unknown) =>
        validateExample(`${place}, example ${value}`, node, value),
      )
  })
  for (const [schema, found] of Object.entries(document.components.schemas as AnyJson)) {
    if (found.title !== schema) report(`schema ${schema}`, 'has a title that is not its name')
    if (isClosed(found)) report(`schema ${schema}`, 'forbids additional properties')
  }
}

/**
 * Checks the component files before they are bundled: the requirement ids of all components, and
 * whether each component is used by a document.
 */
export function checkFiles(
  folder: string,
  documents: AnyJson[],
  requirementIds: ReadonlySet<string>,
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
      const report = (problem: string) =>
        problems.push(`${folder}/components/${file}, ${name}: ${problem}`)
      walk(component, '#', (_, node) => checkRequirementIds(node, requirementIds, report))
      if (!documents.some((document) => name in (document.components[section] ?? {})))
        report('no contract uses it')
    }
  }
  return problems
}

function checkRequirementIds(
  node: AnyJson,
  requirementIds: ReadonlySet<string>,
  report: (problem: string) => void,
): void {
  for (const [key, id] of Object.entries(node)) {
    if (key.startsWith('x-requirement') && !requirementIds.has(id as string))
      report(`${key} is ${id}, which is not in the catalogue`)
  }
}

/** Whether a schema, or a schema within it, restricts additional properties. */
function isClosed(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return (
    'additionalProperties' in node ||
    'unevaluatedProperties' in node ||
    Object.values(node).some(isClosed)
  )
}

function rebaseRefs(node: any): any {
  if (Array.isArray(node)) return node.map(rebaseRefs)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref'
        ? 'https://touchstone.example/document' + (member as string)
        : rebaseRefs(member),
    ]),
  )
}

/**
 * Visits every object, except in the values of examples, which have the key `value`. Also visits a
 * property that is called `value`.
 */
function walk(node: unknown, place: string, visit: (place: string, node: AnyJson) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(place, node)
  for (const [key, member] of Object.entries(node))
    if (key !== 'value' || place.endsWith('/properties')) walk(member, `${place}/${key}`, visit)
}
