import { fieldsOf } from './fields.ts'
import { indexModule, typesModule } from './modules.ts'
import { bodySchemaName, endpointsOf, readContract, resolve, type AnyJson } from './openapi.ts'
import { jsonWithNotice, literal, notice, quote } from './output.ts'
import { documentExamples } from './schema-examples.ts'
import { folderOf, type Strictness } from './strictness.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/openapi/'
const json = 'application/json'

/** Returns the files generated from the OpenAPI document of the authorization endpoints. */
export async function generateAuth(): Promise<[file: string, text: string][]> {
  const document = readContract('auth')
  return [
    ['openapi/auth.json', jsonWithNotice('x-generated', `${from}auth.yaml`, document)],
    ...(await modulesAt('stated')),
    ['auth/contract.ts', contractModule(document)],
    ['auth/rules.ts', rulesModule(document)],
    ...(await modulesAt('documented')),
  ]
}

async function modulesAt(strictness: Strictness): Promise<[file: string, text: string][]> {
  const document = readContract('auth', strictness)
  const folder = folderOf('auth', strictness)
  const schemas = document.components.schemas as AnyJson
  return [
    [`${folder}/types.ts`, await typesModule('Authorization', from, [document])],
    [`${folder}/index.ts`, indexModule(from, schemas, documentExamples(document), { strictness })],
    [`${folder}/validators.ts`, validatorsModule(folder, from, schemas)],
    ...Object.keys(schemas).map((name): [string, string] => [
      `${folder}/schemas/${name}.json`,
      schemaFile(folder, `${from}components/`, name, schemas),
    ]),
  ]
}

/** A response of an operation, with its references resolved. */
interface DocumentedResponse {
  operation: AnyJson
  status: string
  response: AnyJson
}

const responsesOf = (document: AnyJson): DocumentedResponse[] =>
  endpointsOf(document).flatMap(({ operation }) =>
    Object.entries(operation.responses as AnyJson).map(([status, response]) => ({
      operation,
      status,
      response: resolve(document, response as AnyJson),
    })),
  )

/** Returns generated/auth/contract.ts: the requirement of each field of each JSON body. */
function contractModule(document: AnyJson): string {
  const shapes = new Map<string, string>()
  const messages = new Map<string, string>()
  for (const { operation, status, response } of responsesOf(document)) {
    if (response.content?.[json]?.['x-requirement'] === undefined) continue
    const name = bodySchemaName(document, operation, status)
    const outcome = status.startsWith('2') ? 'success' : 'failure'
    const key = `${operation.operationId} ${outcome}`
    const validator = `validators.validate${name} as unknown as Validator<unknown>`
    if (!shapes.has(name))
      shapes.set(
        name,
        fieldsOf(document, { $ref: `#/components/schemas/${name}` })
          .map((field) => `    ${literal(field)},\n`)
          .join(''),
      )
    messages.set(
      key,
      `  ${quote(key)}: message(${quote(operation.operationId as string)}, ${quote(outcome)}, ${validator}, fields.${name}),`,
    )
  }
  return `// ${notice(from)}
import { message, type Field, type MessageContract, type Validator } from '../contract.ts'
import * as validators from './validators.ts'

export type { Field, MessageContract, Violation } from '../contract.ts'

/** The fields of each JSON body that the schemas define. */
const fields = {
${[...shapes].map(([name, list]) => `  ${name}: [\n${list}  ],`).join('\n')}
} as const satisfies { [shape: string]: readonly Field[] }

const table = {
${[...messages.values()].join('\n')}
}

/** An operation with its outcome. */
export type MessageName = keyof typeof table
export const messages: { readonly [Name in MessageName]: MessageContract } = table
`
}

/**
 * Returns generated/auth/rules.ts: the headers that responses must have, and the content types of
 * bodies. It is a separate module, which does not load the validators.
 */
function rulesModule(document: AnyJson): string {
  const headers = new Map<string, string>()
  const contentTypes = new Map<string, string>()
  for (const { operation, status, response } of responsesOf(document)) {
    for (const [header, { schema }] of Object.entries((response.headers ?? {}) as AnyJson))
      for (const part of [schema, ...(schema.allOf ?? [])] as AnyJson[]) {
        const requirement: unknown = part['x-requirement']
        if (typeof requirement !== 'string') continue
        const { pattern, 'x-expected': expected } = part
        const rule = { operation: operation.operationId, status, header, pattern, expected }
        headers.set(requirement, `  ${quote(requirement)}: ${literal(rule)},\n`)
      }
    const requirement: unknown = response.content?.[json]?.['x-requirement']
    if (typeof requirement === 'string')
      contentTypes.set(requirement, `  ${quote(requirement)}: ${quote(json)},\n`)
  }
  return `// ${notice(from)}

/** The form of a header in the responses to an operation, by requirement. */
export const headerRules = {
${[...headers.values()].join('')}} as const

/** The content type of bodies, by requirement. */
export const contentTypes = {
${[...contentTypes.values()].join('')}} as const
`
}
