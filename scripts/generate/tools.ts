import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fieldsOf } from './fields.ts'
import { indexModule, typesModule } from './modules.ts'
import { resolve, type AnyJson } from './openapi.ts'
import { literal, notice } from './output.ts'
import { root } from './source.ts'
import { atStrictness, folderOf, type Strictness } from './strictness.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/json-schema/tools/'

/** Reads the schemas of the tool servers, by name. */
export function readToolSchemas(folder = join(root, from)): { [name: string]: AnyJson } {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
  return Object.fromEntries(
    files.map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as AnyJson,
    ]),
  )
}

/** Returns the files generated from the JSON Schemas of the tool servers. */
export async function generateTools(): Promise<[file: string, text: string][]> {
  const schemas = schemasAt('stated')
  const document = documentOf(schemas)
  return [
    ...(await modulesAt('stated')),
    ['tools/contract.ts', contractModule(document, schemas)],
    ['tools/rules.ts', rulesModule(document, schemas)],
    ...(await modulesAt('documented')),
  ]
}

/**
 * Returns the schemas as components, because the generators need one document. The references
 * between files become references to components.
 */
export function schemasAt(strictness: Strictness): { [name: string]: AnyJson } {
  return Object.fromEntries(
    Object.entries(readToolSchemas()).map(([name, { $schema: _, $id: __, ...schema }]) => [
      name,
      toComponentReferences(atStrictness(schema, strictness)),
    ]),
  )
}

async function modulesAt(strictness: Strictness): Promise<[file: string, text: string][]> {
  const schemas = schemasAt(strictness)
  const folder = folderOf('tools', strictness)
  return [
    [
      `${folder}/types.ts`,
      await typesModule('Tools', from, [{ components: { schemas: withoutConditions(schemas) } }]),
    ],
    [
      `${folder}/index.ts`,
      indexModule(from, withoutConditions(schemas), [], { strictness, more: pageType }),
    ],
    [`${folder}/validators.ts`, validatorsModule(folder, from, schemas)],
    ...Object.keys(schemas).map((name): [string, string] => [
      `${folder}/schemas/${name}.json`,
      schemaFile(folder, from, name, schemas),
    ]),
  ]
}

const pageType = `
/**
 * A page of a list, with its items under the given name.
 *
 * @example
 * type BookPage = Page<'books', { id: string; title: string }>
 */
export type Page<Name extends string, Item> = PaginationResult & { [Key in Name]: Item[] } & Partial<Truncation>
`

function toComponentReferences(node: any): any {
  if (Array.isArray(node)) return node.map(toComponentReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? `#/components/schemas/${basename(member, '.json')}`
        : toComponentReferences(member),
    ]),
  )
}

/** Returns the schemas as a document whose fields `fieldsOf` can list. */
function documentOf(schemas: { [name: string]: AnyJson }): AnyJson {
  const document = { components: { schemas: withoutConditions(schemas) } }
  // The input fields differ between tools, so they are not fields of the contract.
  delete document.components.schemas.InputSchema.properties.properties.properties
  delete document.components.schemas.InputSchema.properties.properties.additionalProperties
  return document
}

/**
 * Returns generated/tools/contract.ts: the requirement of each field of a definition and of a
 * result, and of each condition that concerns no single field.
 */
function contractModule(document: AnyJson, schemas: { [name: string]: AnyJson }): string {
  const conditionLines = (name: string) =>
    conditionsOf(schemas[name]!).map((condition) => `    ${literal(condition)},\n`)
  const fieldLines = (name: string) =>
    fieldsOf(document, { $ref: `#/components/schemas/${name}` })
      .map((field) => `    ${literal(field)},\n`)
      .join('')
  return `// ${notice(from)}
import { message, type Condition, type Field, type Validator } from '../contract.ts'
import * as validators from './validators.ts'

/** The fields of each message that the schemas define. */
const fields = {
${messages.map((name) => `  ${name}: [\n${fieldLines(name)}  ],`).join('\n')}
} as const satisfies { [name: string]: readonly Field[] }

/** The conditions that concern no single field. */
const conditions = {
${messages
  .filter((name) => conditionsOf(schemas[name]!).length > 0)
  .map((name) => `  ${name}: [\n${conditionLines(name).join('')}  ],`)
  .join('\n')}
} as const satisfies { [name: string]: readonly Condition[] }

${messages
  .map(
    (name) =>
      `export const ${name[0]!.toLowerCase()}${name.slice(1)} = message('tools', '${outcomes[name] ?? 'success'}', validators.validate${name} as unknown as Validator<unknown>, fields.${name}${conditionsOf(schemas[name]!).length > 0 ? `, conditions.${name}` : ''})\n`,
  )
  .join('')}`
}

/** The conditions of a schema that have a requirement. `fieldsOf` cannot list them. */
const conditionsOf = ({ not }: AnyJson) =>
  not?.['x-requirement'] === undefined
    ? []
    : [{ schemaPath: '#/not', requirement: not['x-requirement'], expected: not['x-expected'] }]

/**
 * Returns generated/tools/rules.ts: the rules for tool definitions, the common input fields and the
 * JSON types. It is a separate module, which does not load the large validators.
 */
function rulesModule(document: AnyJson, schemas: { [name: string]: AnyJson }): string {
  const definition = { $ref: '#/components/schemas/ToolDefinition' }
  const requirements = new Map(
    fieldsOf(document, definition).map(({ path, requirement }) => [path, requirement]),
  )
  const rules = rulesOf(document, definition, '').map(
    ([path, rule]) =>
      `  '${path}': ${literal({ ...rule, requirement: requirements.get(path) })},\n`,
  )
  const common = Object.entries(schemas.CommonInput!.properties as AnyJson).map(
    ([name, { $ref }]) => {
      const { 'x-requirement': requirement, ...schema } = schemas[nameIn($ref as string)]!
      const { title: _, description: __, examples: ___, ...values } = schema
      return `  ${name}: ${literal({ requirement, schema: values })},\n`
    },
  )
  return `// ${notice(from)}

/**
 * For each field of a tool definition, by its path: the name of its rule, how to meet the rule, and
 * the ID of the requirement.
 */
export const definitionRules = {
${rules.join('')}} as const

/**
 * The input fields with the same meaning in every tool: the schemas of their values, and the IDs of
 * their requirements.
 */
export const commonFields = {
${common.join('')}} as const

/**
 * The rules for the name of a server and for the input fields, which the schema of a definition
 * does not contain: how to meet the rule, if that does not depend on the value, and the ID of the
 * requirement.
 */
export const partRules = {
${['ServerName', 'InputField', 'Constraint']
  .flatMap((name) => partRulesOf(schemas[name]))
  .map(([rule, { fix, requirement }]) => `  '${rule}': ${literal({ fix, requirement })},\n`)
  .join('')}} as const

/** The types of JSON Schema. */
export const jsonTypes: readonly string[] = ${JSON.stringify(schemas.JsonType!.enum)}
`
}

/** The messages whose fields have requirements. */
const messages = ['ToolDefinition', 'PaginationResult', 'Truncation', 'ErrorMessage', 'ServerName']
const outcomes: { readonly [name: string]: string } = { ErrorMessage: 'failure' }

/** The rules of all parts of a schema, by their names. */
function partRulesOf(
  node: unknown,
): [rule: string, part: { fix?: unknown; requirement: unknown }][] {
  if (typeof node !== 'object' || node === null) return []
  const { 'x-rule': rule, 'x-fix': fix, 'x-requirement': requirement } = node as AnyJson
  return [
    ...(rule === undefined
      ? []
      : [
          [rule, { ...(fix === undefined ? {} : { fix }), requirement }] as [
            string,
            AnyJson & { requirement: unknown },
          ],
        ]),
    ...Object.values(node).flatMap(partRulesOf),
  ]
}

/**
 * Returns the rules of a schema, by path. The name of a rule (`x-rule`) also applies to the fields
 * below that have no `x-rule`.
 */
function rulesOf(
  document: AnyJson,
  reference: AnyJson,
  path: string,
  inherited?: string,
): [path: string, rule: { rule: string; fix: string }][] {
  const schema: AnyJson = resolve(document, reference)
  const rule = (schema['x-rule'] as string | undefined) ?? inherited
  return [
    ...(rule !== undefined && schema['x-fix'] !== undefined
      ? [
          [path, { rule, fix: schema['x-fix'] as string }] as [
            string,
            { rule: string; fix: string },
          ],
        ]
      : []),
    ...Object.entries((schema.properties ?? {}) as AnyJson).flatMap(([name, member]) =>
      rulesOf(document, member as AnyJson, `${path}/${name}`, rule),
    ),
  ]
}

const nameIn = (reference: string) => reference.split('/').at(-1)!

/**
 * Removes conditions and dependencies between members. Types and lists of fields cannot express
 * them.
 */
function withoutConditions(node: any, inProperties = false): any {
  if (Array.isArray(node)) return node.map((member) => withoutConditions(member))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).filter(
    ([key, member]) =>
      inProperties ||
      !(conditions.includes(key) || (key in isCondition && isCondition[key]!(member))),
  )
  return Object.fromEntries(
    members.map(([key, member]) => [
      key,
      withoutConditions(member, !inProperties && key === 'properties'),
    ]),
  )
}

const conditions = ['if', 'then', 'else', 'not', 'contains']
const combinators = ['anyOf', 'allOf', 'if', 'required']
/** Keywords that are conditions only with some values. Each function tests a value. */
const isCondition: { readonly [keyword: string]: (parts: any) => boolean } = {
  anyOf: (parts: AnyJson[]) => parts.some((part) => combinators.some((key) => key in part)),
  allOf: (parts: AnyJson[]) => parts.some((part) => combinators.some((key) => key in part)),
}
