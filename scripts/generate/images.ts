import { jsonWithNotice, literal, notice, quote } from './output.ts'
import { fieldsOf } from './fields.ts'
import { indexModule, mergeMembers, typesModule } from './modules.ts'
import {
  bodySchemaName,
  endpointsOf,
  readContract,
  resolve,
  type AnyJson,
  type Schema,
} from './openapi.ts'
import { documentExamples } from './schema-examples.ts'
import { folderOf, type Strictness } from './strictness.ts'
import { schemaFile, validatorsModule } from './validators.ts'

export const hosts = { account: 'images-account', batch: 'images-batch', upload: 'images-upload' }

const from = 'specs/openapi/'

/** Additional names, which are more common, for types of the schemas. */
const aliases = `
/**
 * An image as the service returns it when it is read. Until its upload is completed, \`draft\` is
 * true.
 *
 * @example
 * const isStored = ({ draft }: ImageDetails) => draft !== true
 */
export type ImageDetails = Image

/**
 * The body of a response to a request that succeeded.
 *
 * @example
 * const idOf = ({ result }: SuccessEnvelope<Image>) => result.id
 */
export type SuccessEnvelope<T = unknown> = Omit<Success, 'result'> & { result: T }

/**
 * The body of a response to a request that failed.
 *
 * @example
 * const codesOf = ({ errors }: ErrorEnvelope) => errors.map(({ code }) => code)
 */
export type ErrorEnvelope = Failure

/**
 * The body of any response of the service.
 *
 * @example
 * const body = (await new Response(bytes).json()) as Envelope<Image>
 * if (!body.success) throw new Error(body.errors[0]?.message)
 */
export type Envelope<T = unknown> = SuccessEnvelope<T> | ErrorEnvelope
`

/** Returns the files generated from the OpenAPI documents of the image hosting API. */
export async function generateImages(): Promise<[file: string, text: string][]> {
  const documents = documentsAt('stated')
  return [
    ...documents.map(({ name, document }): [string, string] => [
      `openapi/${name}.json`,
      jsonWithNotice('x-generated', `${from}${name}.yaml`, document),
    ]),
    ...(await modulesAt('stated')),
    ['images/contract.ts', contractModule(documents)],
    ...(await modulesAt('documented')),
  ]
}

const documentsAt = (strictness: Strictness) =>
  Object.entries(hosts).map(([host, name]) => ({
    host,
    name,
    document: readContract(name, strictness),
  }))

async function modulesAt(strictness: Strictness): Promise<[file: string, text: string][]> {
  const documents = documentsAt(strictness).map(({ document }) => document)
  const folder = folderOf('images', strictness)
  const schemas = mergeMembers(documents.map(({ components }) => components.schemas as AnyJson))
  return [
    [`${folder}/types.ts`, await typesModule('Image hosting', from, documents)],
    [
      `${folder}/index.ts`,
      indexModule(from, schemas, documents.flatMap(documentExamples), {
        strictness,
        more: aliases,
      }),
    ],
    [`${folder}/validators.ts`, validatorsModule(folder, from, schemas)],
    ...Object.keys(schemas)
      .filter((name) => !isNotJson(schemas, name))
      .map((name): [string, string] => [
        `${folder}/schemas/${name}.json`,
        schemaFile(folder, from + 'components/schemas.yaml', name, schemas),
      ]),
  ]
}

/** Whether a schema is empty, or describes a form with a file. Neither is a JSON value. */
function isNotJson(schemas: AnyJson, name: string): boolean {
  const { oneOf = [{ $ref: name }], type, allOf } = schemas[name] as AnyJson
  const branches = (oneOf as AnyJson[]).map(
    (branch) => schemas[(branch.$ref as string).split('/').at(-1)!] as AnyJson,
  )
  return (!type && !allOf) || branches.some((branch) => 'file' in (branch.properties ?? {}))
}

function contractModule(documents: { host: string; document: AnyJson }[]): string {
  const shapes = new Map<string, string>()
  const shape = (document: AnyJson, name: string) => {
    const schema: Schema = resolve<Schema>(document, { $ref: `#/components/schemas/${name}` })
    const hasFields = 'x-requirement' in schema || 'allOf' in schema
    if (!shapes.has(name))
      shapes.set(
        name,
        hasFields
          ? fieldsOf(document, schema)
              .map((field) => `    ${literal(field)},\n`)
              .join('')
          : '',
      )
    return name
  }
  const entries = documents.flatMap(({ host, document }) =>
    endpointsOf(document).map(({ path, method, operation }) => {
      const id = operation.operationId as string
      const failures = new Set(
        Object.keys(operation.responses)
          .filter((status) => status !== '200')
          .map((status) => bodySchemaName(document, operation, status)),
      )
      if (failures.size !== 1)
        throw new Error(`${id}: the failure responses use ${failures.size} schemas instead of one`)
      const success = shape(document, bodySchemaName(document, operation, '200'))
      const failure = shape(document, [...failures][0]!)
      const args = [id, host, method.toUpperCase(), path, operation['x-requirement'] as string].map(
        quote,
      )
      return `  ${id}: operation(${args.join(', ')}, ${quote(success)}, ${quote(failure)}),`
    }),
  )
  return `// ${notice(from)}
import { message, type Field, type Operation as AnyOperation, type Validator } from '../contract.ts'
import type { RequirementId } from '../requirements/index.ts'
import * as validators from './validators.ts'

export type { Field, MessageContract, Violation } from '../contract.ts'

export type Host = ${documents.map(({ host }) => quote(host)).join(' | ')}
export interface Operation extends AnyOperation {
  readonly host: Host
}

/** The fields that the contract defines for each body. */
const fields = {
${[...shapes].map(([name, list]) => (list ? `  ${name}: [\n${list}  ],` : `  ${name}: [],`)).join('\n')}
} as const satisfies { [shape: string]: readonly Field[] }

type Shape = keyof typeof fields

const validator: { readonly [S in Shape]: unknown } = {
${[...shapes.keys()].map((name) => `  ${name}: validators.validate${name},`).join('\n')}
}

function operation(id: string, host: Host, method: string, path: string, requirement: RequirementId, success: Shape, failure: Shape): Operation {
  return {
    id, host, method, path, requirement,
    success: message(id, 'success', validator[success] as Validator<unknown>, fields[success]),
    failure: message(id, 'failure', validator[failure] as Validator<unknown>, fields[failure]),
  }
}

const table = {
${entries.join('\n')}
}

export type OperationId = keyof typeof table
export const operations: { readonly [Id in OperationId]: Operation } = table
`
}
